// Fan out: the root's eager message reaches every member, directly or down a tree.
// SPDX-License-Identifier: BSD-3-Clause
//
// No member answers, so a root could run ahead of the others without end. A slot is used again after
// ring_slots broadcasts; before that all must be known to have read it, and where no other collective has
// synchronised them meanwhile, a sync does. All members count alike, so all see together when one is due.
#pragma once

#include "coll/barrier/barrier.hpp"
#include "coll/steps/tree.hpp"
#include "team/flags.hpp"
#include "team/nodes.hpp"

namespace atrium {

class FanOut {
 public:
  explicit FanOut(Team& team) : team_(team), epoch_(next_epoch(team)) {}

  // On the root: to all others. Requires: bytes <= payload_bytes.
  void send_all(const void* data, size_t bytes) {
    for (int step = 1; step < team_.size; ++step) send(team_.after(step), data, bytes);
  }
  void send(int member, const void* data, size_t bytes) {
    send_eagerly(team_, member, slot_of(member), epoch_, data, bytes);
  }
  // The same for a member on another node, with the data in its dest instead: written before the flag is seen. Large data is on its
  // way until settle(), before which it may not change.
  void write(int member, void* dest, const void* data, size_t bytes) {
    if (bytes <= most_by_copy)
      detail::raise_away(team_, member, slot_of(member).epoch, epoch_, dest, data, bytes);
    else
      detail::raise_away_later(team_, member, slot_of(member).epoch, epoch_, dest, data, bytes);
  }
  // To my children.
  void send_down(const Tree& tree, const void* data, size_t bytes) {
    for (int branch = 0; branch < tree.children(); ++branch) send(tree.child(branch), data, bytes);
  }
  // Elsewhere. Valid until I enter the next collective.
  const std::byte* receive() {
    const EagerSlot& slot = slot_of(team_.me);
    await_flag(team_, slot.epoch, epoch_);
    return slot.payload;
  }

 private:
  static uint64_t next_epoch(Team& team) {
    TeamProgress& progress = team.progress;
    if (progress.broadcasts - progress.broadcasts_at_sync >= ring_slots) synchronise(team);
    return ++progress.broadcasts;
  }
  EagerSlot& slot_of(int member) { return team_.block_of(member).eager_slots[epoch_ % ring_slots]; }

  Team& team_;
  uint64_t epoch_;
};

}  // namespace atrium
