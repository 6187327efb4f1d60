// Exchange: every member sends each other one a letter, small data and flag in one.
// SPDX-License-Identifier: BSD-3-Clause
//
// Why two halves suffice: whoever is in exchange e + 2 has received from all in e + 1, so all were in e + 1
// then and had read what e brought. Letters of e + 2 may therefore lie where those of e did.
#pragma once

#include "coll/steps/epoch.hpp"
#include "copy/copy.hpp"

namespace atrium {

class Exchange {
 public:
  // Requires: has_mail(team.size). Every member sends to every other one and then receives from every other
  // one.
  explicit Exchange(Team& team) : team_(team), epoch_(++team.progress.exchanges) {
    team.progress.broadcasts_at_sync = team.progress.broadcasts;
  }

  // Requires: bytes <= payload_bytes.
  void send(int member, const void* data, size_t bytes) {
    Letter& letter = slot(member, team_.me);
    copy(letter.payload, data, bytes);
    raise_flag(team_, member, letter.epoch, epoch_);
  }

  void send_all(const void* data, size_t bytes) {
    for (int step = 1; step < team_.size; ++step) send(team_.after(step), data, bytes);
  }

  // What that member, not I, sent me; aligned for every type. Valid until I start the next exchange.
  const std::byte* receive(int member) {
    const Letter& letter = slot(team_.me, member);
    await_flag(letter.epoch, epoch_);
    return letter.payload;
  }

 private:
  Letter& slot(int to, int from) {
    return team_.block_of(to).mail(static_cast<int>(epoch_ % 2), team_.size, from);
  }

  Team& team_;
  uint64_t epoch_;
};

}  // namespace atrium
