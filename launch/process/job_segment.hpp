// The job's memory as the launcher sees it: the descriptor that the PEs inherit, and the lobby at its front.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

#include "core/result.hpp"
#include "lobby/lobby.hpp"
#include "os/life_mark.hpp"
#include "topology/cores.hpp"

namespace atrium {

struct LongWait {
  std::string what;
  uint64_t since_ns;  // CLOCK_MONOTONIC
  bool for_all;       // ends when all PEs have come
};

class JobSegment {
 public:
  static Result<JobSegment> create(int pes, const std::vector<Core>& cores);

  int fd() const { return fd_; }
  PeState state(int pe) const;
  // The status given to shmem_global_exit, once some PE has called it.
  std::optional<int> exit_request() const;
  // Has any PE entered shmem_init?
  bool in_use() const;
  // The process that has joined as that PE, as it calls itself; 0 when none has.
  pid_t registered_pid(int pe) const { return lobby_->slots()[pe].pid.load(std::memory_order_relaxed); }
  // The same while it lives, as oshrun calls it, whatever PID namespace it is in (os/life_mark.hpp); else 0.
  pid_t marked_pid(int pe) const { return find_life_mark(fd_, pe); }
  // Where it waits, if it has waited long.
  std::optional<LongWait> wait(int pe) const;

 private:
  JobSegment(int fd, Lobby* lobby) : fd_(fd), lobby_(lobby) {}

  int fd_;
  Lobby* lobby_;
};

}  // namespace atrium
