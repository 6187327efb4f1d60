// Nameless memory: memfd where the kernel allows it, else a file without a name.
// SPDX-License-Identifier: BSD-3-Clause
#include "os/job_memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <string>

#include "core/settings.hpp"
#include "os/signals_blocked.hpp"

namespace atrium {
namespace {

constexpr unsigned memfd_noexec_seal = 8;  // MFD_NOEXEC_SEAL of Linux 6.3, which C libraries do not know yet

std::string make_name() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return "/atrium." + std::to_string(getpid()) + "." + std::to_string(now.tv_sec) +
         std::to_string(now.tv_nsec);
}

}  // namespace

int beyond_streams(int descriptor) {
  if (descriptor < 0 || descriptor > STDERR_FILENO) return descriptor;
  const int moved = ::fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  const int reason = errno;
  ::close(descriptor);
  errno = reason;
  return moved;
}

Result<void> size_file(int descriptor, size_t bytes) {
  // Past RLIMIT_FSIZE the kernel sends SIGXFSZ, which kills; we want the error.
  struct sigaction ignore {
  }, before{};
  ignore.sa_handler = SIG_IGN;
  ::sigaction(SIGXFSZ, &ignore, &before);
  const int failed = ::ftruncate(descriptor, static_cast<off_t>(bytes));
  const int reason = errno;
  ::sigaction(SIGXFSZ, &before, nullptr);
  errno = reason;
  if (failed != 0)
    return system_error("cannot make the job's memory " + format_size(bytes) + " long", "ftruncate")
        .try_this(reason == EFBIG ? "ulimit -f unlimited, or a smaller SHMEM_SYMMETRIC_SIZE"
                                  : "a smaller SHMEM_SYMMETRIC_SIZE");
  return {};
}

Result<int> create_memfd() {
  // Linux since 6.3 can be set up to refuse memory files that could be executed; older ones do not know the flag.
  int fd = memfd_create("atrium", MFD_CLOEXEC | memfd_noexec_seal);
  if (fd < 0 && errno == EINVAL) fd = memfd_create("atrium", MFD_CLOEXEC);
  fd = beyond_streams(fd);
  if (fd < 0) return system_error("cannot create the job's memory", "memfd_create");
  fchmod(fd, 0600);  // it has no name, but /proc has one for every descriptor
  return fd;
}

Result<int> create_unnamed_file(const char* directory) {
  const int fd = beyond_streams(open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600));
  if (fd < 0)
    return system_error(std::string("cannot create the job's memory in ") + directory, "open(O_TMPFILE)");
  return fd;
}

Result<int> create_unlinked_shm() {
  if (Result<int> file = create_unnamed_file("/dev/shm")) return file;  // where shm_open makes its files
  const std::string name = make_name();
  int fd = shm_open(name.c_str(), O_RDWR | O_CREAT | O_EXCL, 0600);  // close-on-exec by definition
  if (fd < 0) return system_error("cannot create the job's memory", "shm_open");
  shm_unlink(name.c_str());
  fd = beyond_streams(fd);
  if (fd < 0) return system_error("cannot create the job's memory", "fcntl");
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
  Result<int> memory = create_memfd();
  if (memory) return memory;
  Error first = memory.error();
  // Never a name comes before a name for an instant; /tmp is last because it may be a disk.
  if (Result<int> shm = create_unlinked_shm()) return shm;
  if (Result<int> file = create_unnamed_file("/tmp")) return file;
  return first.try_this("allow memfd_create for this process, or mount a tmpfs on /dev/shm");
}

}  // namespace atrium
