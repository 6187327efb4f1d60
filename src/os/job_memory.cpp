// Makes, measures and fills the job's memory, and says why where that fails.
// SPDX-License-Identifier: BSD-3-Clause
#include "os/job_memory.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <cerrno>
#include <string>

#include "atrium_nameless_memory.hpp"
#include "core/settings.hpp"
#include "os/signals_blocked.hpp"

namespace atrium {
namespace {

constexpr const char* seen_as = "atrium";
constexpr const char* cannot_create = "cannot create the job's memory";

}  // namespace

Result<void> size_file(int descriptor, size_t bytes) {
  if (set_file_size(descriptor, bytes) == 0) return {};
  const int reason = errno;
  return system_error("cannot make the job's memory " + format_size(bytes) + " long", "ftruncate")
      .try_this(reason == EFBIG ? "ulimit -f unlimited, or a smaller SHMEM_SYMMETRIC_SIZE"
                                : "a smaller SHMEM_SYMMETRIC_SIZE");
}

Result<int> create_memfd() {
  const int fd = make_memory_file(seen_as);
  if (fd < 0) return system_error(cannot_create, "memfd_create");
  return fd;
}

Result<int> create_unnamed_file(const char* directory) {
  const int fd = make_unnamed_file(directory);
  if (fd < 0) return system_error(std::string(cannot_create) + " in " + directory, "open(O_TMPFILE)");
  return fd;
}

Result<int> create_unlinked_shm() {
  const int fd = make_unlinked_shm();
  if (fd < 0) return system_error(cannot_create, "shm_open");
  return fd;
}

size_t size_of_file(int descriptor) {
  struct stat file {};
  return fstat(descriptor, &file) == 0 ? static_cast<size_t>(file.st_size) : 0;
}

Result<bool> has_size_limit(int descriptor) {
  struct statvfs file_system {};
  if (fstatvfs(descriptor, &file_system) != 0)
    return system_error("cannot find out how large the symmetric memory may grow", "fstatvfs");
  return file_system.f_blocks != 0;
}

Result<void> commit_file(int descriptor, size_t length, size_t offset, const char* what) {
  // Some kernels give everything back when a signal comes: beside a profiler's timer this would never end.
  const SignalsBlocked blocked;
  int failed;
  do {
    failed =
        fallocate(descriptor, FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset), static_cast<off_t>(length));
  } while (failed != 0 && errno == EINTR);
  if (failed != 0) return system_error(what, "fallocate");
  return {};
}

Result<int> create_job_memory() {
  const int fd = make_nameless_memory(seen_as);
  if (fd < 0)
    return system_error(cannot_create, "memfd_create")
        .try_this("allow memfd_create for this process, or mount a tmpfs on /dev/shm");
  return fd;
}

}  // namespace atrium
