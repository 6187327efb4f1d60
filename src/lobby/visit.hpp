// What one PE does in the lobby: take its slot, read the layout, wait for the others.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "core/result.hpp"
#include "lobby/lobby.hpp"
#include "topology/domain.hpp"
#include "topology/placement.hpp"

namespace atrium {

class LobbyVisit {
 public:
  // Maps the lobby at the head of `job_memory` and takes the slot of my place.
  static Result<LobbyVisit> enter(int job_memory, const Placement& pes);

  Lobby& lobby() { return *lobby_; }
  PeSlot& slot() { return lobby_->slots()[place_]; }
  void set_state(PeState state) {
    slot().state.store(static_cast<uint32_t>(state), std::memory_order_release);  // SYNC pe-state
  }

  void set_exits(bool exits) { slot().exits.store(exits, std::memory_order_relaxed); }

  // The PE at place 0 publishes, the others wait for it.
  void publish_plan(const SegmentPlan& plan);
  const SegmentPlan& await_plan();

  // Returns when every PE of the node has called it as often as this one. Sleeps: there may be more PEs than CPUs.
  void barrier();

  // The CPUs that the PEs of the node may run on, all together, and how many they are. After the first barrier; before it, those
  // of the PEs that have come.
  std::vector<int> cpus();
  int count_cpus();
  // The traits that any PE of the node has. After the barrier of this init.
  uint32_t traits_of_any();
  // Whether the settings of this PE are those of the node's first one. Likewise.
  bool has_settings_of_first();
  // What the CPUs of each PE of the node share, by place. After the first barrier.
  std::vector<Domain> domains();

 private:
  LobbyVisit(Lobby* lobby, int place) : lobby_(lobby), place_(place) {}
  Lobby* lobby_;
  int place_;
};

}  // namespace atrium
