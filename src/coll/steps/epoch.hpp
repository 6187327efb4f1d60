// Raising a flag in a peer's block and waiting for one in my own: what every step is made of.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "team/block.hpp"
#include "team/team.hpp"
#include "wait/wait.hpp"

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

inline bool is_raised(const Epoch& flag, uint64_t epoch) {
  return flag.load(std::memory_order_acquire) >= epoch;  // SYNC epoch
}

// The rest of await_flag, out of its way: a reason takes longer to write down than a line to arrive.
void await_flag_longer(const Epoch& flag, uint64_t epoch, WaitKind kind);

// Waits for this epoch or a later one. `flag` lies in my own block.
inline void await_flag(const Epoch& flag, uint64_t epoch, WaitKind kind = WaitKind::collective) {
  if (!is_raised(flag, epoch)) await_flag_longer(flag, epoch, kind);
}

}  // namespace atrium
