// The job's memory as the launcher sees it: the descriptor that the PEs inherit, and the lobby at its front.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "core/result.hpp"
#include "segment/lobby.hpp"
#include "topology/cores.hpp"

namespace atrium {

class JobSegment {
 public:
  static Result<JobSegment> create(int pes, const std::vector<Core>& cores);

  int fd() const { return fd_; }
  SeatState seat(int pe) const;
  // The status given to shmem_global_exit, once some PE has called it.
  std::optional<int> exit_request() const;
  // Has any PE entered shmem_init?
  bool in_use() const;

 private:
  JobSegment(int fd, Lobby* lobby) : fd_(fd), lobby_(lobby) {}

  int fd_;
  Lobby* lobby_;
};

}  // namespace atrium
