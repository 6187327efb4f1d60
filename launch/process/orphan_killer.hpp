// The orphan killer: a small process that outlives oshrun by a moment when oshrun is killed, and ends what is left.
// SPDX-License-Identifier: BSD-3-Clause
//
// A PE dies with oshrun by its parent-death signal. What a PE started itself (a wrapper script's program,
// say) does not: it is in the PE's process group, and the orphan killer kills those groups.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstddef>

namespace atrium {

class OrphanKiller {
 public:
  // Room for `groups` process groups, all empty.
  explicit OrphanKiller(size_t groups);

  // Where the process group of PE `index` is written: by the PE itself before it executes anything, and 0
  // when it has gone.
  std::atomic<pid_t>& group(size_t index) { return groups_[index]; }
  void start();
  void dismiss();

 private:
  [[noreturn]] void keep(pid_t launcher) const;

  size_t count_;
  std::atomic<pid_t>* groups_;  // shared with the orphan killer; 0: nothing there any more
  pid_t pid_ = -1;
};

}  // namespace atrium
