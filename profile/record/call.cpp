// Records one call of a routine. Of what happens here only the two readings of the clock lie within the time that is recorded.
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/record/call.hpp"

#include <algorithm>

namespace atrium::profile {

void Call::in(unsigned arrivals, uint64_t number, int root) {
  thread_->with.store(root, std::memory_order_relaxed);
  thread_->place.store(pack_collective(arrivals, number), std::memory_order_relaxed);
  thread_->kind.store(EventKind::collective, std::memory_order_relaxed);
}

void Call::end() {
  const uint64_t end = now(), ticks = end - begin_;
  Page& page = *recorder.page;
  CallSite& line = page.line[line_];
  const bool shared = recorder.shared;
  line.calls.add(1, shared);
  line.bytes.add(what_.bytes, shared);
  line.ticks.add(ticks, shared);
  line.longest.raise_to(ticks);
  const uint64_t waiting = what_.role == Role::wait ? ticks : std::min(waited_, ticks);
  if (waiting != 0) line.waiting.add(waiting, shared);
  if (what_.pe >= 0 && what_.pe < recorder.pes) {
    Peer& peer = recorder.peers[what_.pe];
    const bool put = what_.role == Role::put;
    (put ? peer.puts : peer.gets).add(1, shared);
    (put ? peer.put_bytes : peer.got_bytes).add(what_.bytes, shared);
  }
  if (regions_open) count_in_regions(*thread_, ticks, waiting, what_.bytes);
  if (recorder.room != 0) trace(ticks);
  thread_->doing.store(0, std::memory_order_relaxed);
  thread_->since.store(end, std::memory_order_relaxed);
}

void Call::trace(uint64_t ticks) const {
  write_event({begin_, ticks, thread_->bytes, thread_->place, line_, thread_->with, thread_->kind, 0,
               number_of(*thread_)});
}

}  // namespace atrium::profile
