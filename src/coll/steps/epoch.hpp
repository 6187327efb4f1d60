// Raising a flag in a peer's block and waiting for one in my own: what every step is made of.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "ordering/wait.hpp"
#include "team/block.hpp"
#include "team/team.hpp"

namespace atrium {

// Everything I wrote before is visible to the member that sees the flag. `flag` lies in that member's block.
inline void raise_flag(const Team& team, int member, Epoch& flag, uint64_t epoch) {
  flag.store(epoch, std::memory_order_release);  // SYNC epoch
  notify(team.delta[member]);
}

// Adds one to a counter in a member's block and returns the new count.
inline uint64_t count_at(const Team& team, int member, Epoch& counter) {
  const uint64_t count = counter.fetch_add(1, std::memory_order_acq_rel) + 1;  // SYNC epoch
  notify(team.delta[member]);
  return count;
}

// Waits for this epoch or a later one. `flag` lies in my own block.
inline void await_flag(const Epoch& flag, uint64_t epoch, WaitKind kind = WaitKind::collective) {
  wait_for(WaitReason{kind, &flag, sizeof flag, epoch, ">="},
           [&] { return flag.load(std::memory_order_acquire) >= epoch; });  // SYNC epoch
}

}  // namespace atrium
