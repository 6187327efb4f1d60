// Duplicates descriptors so that programs do not inherit them, and closes them.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/process/descriptors.hpp"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

#include "atrium_system.hpp"

namespace atrium {

int move_up(int fd) {
  if (fd < 0) return fd;
  for (int lowest : {200, 20}) {
    const int moved = fcntl(fd, F_DUPFD_CLOEXEC, lowest);
    if (moved < 0) continue;
    close(fd);
    return moved;
  }
  return fd;
}

void close_all_but(std::vector<int> kept) {
  std::sort(kept.begin(), kept.end());
#ifdef SYS_close_range
  unsigned next = 0;
  bool closed = true;
  for (int fd : kept) {
    const auto number = static_cast<unsigned>(fd);
    if (next < number) closed = closed && syscall(SYS_close_range, next, number - 1, 0U) == 0;
    next = number + 1;
  }
  if (closed && syscall(SYS_close_range, next, ~0U, 0U) == 0) return;
#endif
  const auto close_unless_kept = [&](int fd) {
    if (!std::binary_search(kept.begin(), kept.end(), fd)) close(fd);
  };
  // Linux before 5.9. As many as there may be, a thousand millions in some containers, are tried only where /proc is missing.
  const std::vector<int> open = numbers_in("/proc/self/fd");
  for (int fd : open) close_unless_kept(fd);
  if (open.empty())
    for (int fd = static_cast<int>(sysconf(_SC_OPEN_MAX)); fd-- > 0;) close_unless_kept(fd);
}

}  // namespace atrium
