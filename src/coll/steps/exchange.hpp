// Exchange: every member sends each other one an eager message, small data and flag in one.
// SPDX-License-Identifier: BSD-3-Clause
//
// Two halves suffice: a member that is in exchange e + 2 has received from all in e + 1, so all had begun e + 1 and had read the
// messages of e. Messages of e + 2 may therefore lie where those of e did.
#pragma once

#include "team/flags.hpp"

namespace atrium {

class EagerExchange {
 public:
  // Requires: has_exchange(team.size). Every member sends to every other one and then receives from every other one.
  explicit EagerExchange(Team& team) : team_(team), epoch_(++team.progress.exchanges) {
    team.progress.broadcasts_at_sync = team.progress.broadcasts;
  }

  // Requires: bytes <= payload_bytes.
  void send(int member, const void* data, size_t bytes) {
    send_eagerly(team_, member, slot_at(member, team_.me), epoch_, data, bytes);
  }

  void send_all(const void* data, size_t bytes) {
    for (int step = 1; step < team_.size; ++step) send(team_.after(step), data, bytes);
  }

  // What that member, not I, sent me; aligned for every type. Valid until I start the next exchange.
  const std::byte* receive(int member) {
    const EagerSlot& slot = slot_at(team_.me, member);
    await_flag(team_, slot.epoch, epoch_);
    return slot.payload;
  }

 private:
  EagerSlot& slot_at(int to, int from) {
    return team_.block_of(to).exchange_slot(static_cast<int>(epoch_ % 2), team_.size, from);
  }

  Team& team_;
  uint64_t epoch_;
};

}  // namespace atrium
