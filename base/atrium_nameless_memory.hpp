// Memory behind a descriptor that has no name anywhere: a memory file where the kernel allows it, else a file without a name.
// SPDX-License-Identifier: BSD-3-Clause
//
// What is made here is an empty file, which its owner may read and write, which programs that are executed do not get, and which is
// none of the three standard streams. Each function returns its descriptor, or -1 with errno. None takes memory of malloc, so
// that a handler of crashes may call them.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>

namespace atrium {

// A program may be started without standard streams, and what it prints must not go into a file of ours: the same file under
// another number where it has one of theirs. -1 with errno as it was, or where that cannot be had.
inline int beyond_streams(int descriptor) {
  if (descriptor < 0 || descriptor > STDERR_FILENO) return descriptor;
  const int moved = ::fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  const int reason = errno;
  ::close(descriptor);
  errno = reason;
  return moved;
}

// It has no name, but /proc has one for every descriptor. Without regard to the umask, which may deny its owner the same.
inline int for_owner_alone(int descriptor) {
  if (descriptor >= 0) ::fchmod(descriptor, 0600);
  return descriptor;
}

// `name` is seen in /proc alone.
inline int make_memory_file(const char* name) {
  constexpr unsigned noexec_seal = 8;  // MFD_NOEXEC_SEAL of Linux 6.3, which C libraries do not know yet
  // Linux since 6.3 can be set up to refuse memory files that could be executed; older ones do not know the flag.
  int fd = ::memfd_create(name, MFD_CLOEXEC | noexec_seal);
  if (fd < 0 && errno == EINVAL) fd = ::memfd_create(name, MFD_CLOEXEC);
  return for_owner_alone(beyond_streams(fd));
}

// On the file system of `directory`.
inline int make_unnamed_file(const char* directory) {
  return for_owner_alone(beyond_streams(::open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600)));
}

// Where POSIX shared memory objects lie; where that file system has no files without a name, with one that is gone at once.
inline int make_unlinked_shm() {
  if (const int file = make_unnamed_file("/dev/shm"); file >= 0) return file;
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  char name[64];
  std::snprintf(name, sizeof name, "/atrium.%d.%lld%ld", static_cast<int>(::getpid()),
                static_cast<long long>(now.tv_sec), now.tv_nsec);
  const int fd = ::shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600);  // close-on-exec by definition
  if (fd >= 0) ::shm_unlink(name);
  return for_owner_alone(beyond_streams(fd));
}

// The first of these that works here; errno is that of the first of all. Never a name comes before a name for an instant; /tmp is
// last because it may be a disk.
inline int make_nameless_memory(const char* name) {
  int fd = make_memory_file(name);
  const int reason = errno;
  if (fd < 0) fd = make_unlinked_shm();
  if (fd < 0) fd = make_unnamed_file("/tmp");
  if (fd < 0) errno = reason;
  return fd;
}

// 0, or -1 with errno. Past RLIMIT_FSIZE the kernel sends SIGXFSZ, which kills; we want the error.
inline int set_file_size(int fd, size_t bytes) {
  struct sigaction ignore {
  }, before{};
  ignore.sa_handler = SIG_IGN;
  ::sigaction(SIGXFSZ, &ignore, &before);
  const int failed = ::ftruncate(fd, static_cast<off_t>(bytes));
  const int reason = errno;
  ::sigaction(SIGXFSZ, &before, nullptr);
  errno = reason;
  return failed;
}

// 0, or -1 with errno. Without this, a page of a file system that has become full is missed when somebody writes there, and the
// kernel sends SIGBUS. A file system without a limit is left alone: pages that nobody needs take no memory there.
inline int get_pages_if_limited(int fd, size_t bytes) {
  struct statvfs file_system {};
  if (::fstatvfs(fd, &file_system) != 0) return -1;
  if (file_system.f_blocks == 0) return 0;
  int failed;
  do failed = ::fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(bytes));
  while (failed != 0 && errno == EINTR);
  return failed;
}

// A file of that size, which can be written everywhere: in the first of those places that has room. errno is that of the last place
// where a file could be made, else of the first one.
inline int make_nameless_memory(const char* name, size_t bytes) {
  int reason = 0;
  for (int place = 0; place < 3; ++place) {
    const int fd = place == 0   ? make_memory_file(name)
                   : place == 1 ? make_unlinked_shm()
                                : make_unnamed_file("/tmp");
    if (fd >= 0 && set_file_size(fd, bytes) == 0 && get_pages_if_limited(fd, bytes) == 0) return fd;
    if (place == 0 || fd >= 0) reason = errno;
    if (fd >= 0) ::close(fd);
  }
  errno = reason;
  return -1;
}

}  // namespace atrium
