// What one PE does in the lobby: take its slot, read the layout, meet the others.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "core/result.hpp"
#include "lobby/lobby.hpp"
#include "topology/domain.hpp"

namespace atrium {

class LobbyVisit {
 public:
  // Maps the lobby at the head of `job_memory` and takes slot `me`.
  static Result<LobbyVisit> enter(int job_memory, int me, int npes);

  Lobby& lobby() { return *lobby_; }
  PeSlot& slot() { return lobby_->slots()[me_]; }
  void set_state(PeState state) {
    slot().state.store(static_cast<uint32_t>(state), std::memory_order_release);
  }  // SYNC pe-state

  // PE 0 publishes, the others wait for it.
  void publish_plan(const SegmentPlan& layout);
  const SegmentPlan& await_plan();

  // Returns when every PE has called it as often as this one. Sleeps: there may be more PEs than CPUs.
  void meet();

  // How many different CPUs the PEs of the job may run on, all together. After the first meeting.
  int count_cpus();
  // Does any PE have threads that communicate at the same time? After the meeting of this init.
  bool anyone_has_threads();
  // What each PE's CPUs share. After the first meeting.
  std::vector<Domain> domains();

 private:
  LobbyVisit(Lobby* lobby, int me) : lobby_(lobby), me_(me) {}
  Lobby* lobby_;
  int me_;
};

}  // namespace atrium
