// Marks that a process is alive by a record lock on one byte of a shared file.
// SPDX-License-Identifier: BSD-3-Clause
#include "os/life_mark.hpp"

#include <fcntl.h>

namespace atrium {
namespace {

constexpr off_t first_mark = off_t{1} << 62;  // where no file has bytes

struct flock lock_of(int number) {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = first_mark + number;
  lock.l_len = 1;
  return lock;
}

}  // namespace

void set_life_mark(int descriptor, int number) {
  struct flock lock = lock_of(number);
  ::fcntl(descriptor, F_SETLK, &lock);  // if that fails, readers find no mark and use other means
}

pid_t find_life_mark(int descriptor, int number) {
  struct flock lock = lock_of(number);
  return ::fcntl(descriptor, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK ? lock.l_pid : 0;
}

}  // namespace atrium
