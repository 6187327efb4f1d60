// Books a call. What happens here lies outside the time that is booked, except for the two looks at the clock.
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/record/call.hpp"

#include <algorithm>

namespace atrium::profile {

void Call::begin(const Site& site, const What& what) {
  what_ = what;
  line_ = line_of(site);
  open_ = true;
  Page& page = *recorder.page;
  page.with.store(what.pe, std::memory_order_relaxed);
  page.gathering.store(0, std::memory_order_relaxed);
  page.doing.store(line_ + 1, std::memory_order_relaxed);
  begin_ = now();
  page.since.store(begin_, std::memory_order_relaxed);
}

void Call::in(unsigned gathering, uint64_t number, int root) {
  collective_ = pack_collective(gathering, number);
  root_ = root;
  recorder.page->gathering.store(gathering + 1, std::memory_order_relaxed);
}

void Call::end() {
  const uint64_t end = now(), ticks = end - begin_;
  Page& page = *recorder.page;
  Line& line = page.line[line_];
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
  if (regions_open) count_in_regions(waiting, what_.bytes);
  if (recorder.room != 0) trace(ticks);
  page.doing.store(0, std::memory_order_relaxed);
  page.since.store(end, std::memory_order_relaxed);
}

void Call::trace(uint64_t ticks) const {
  if (collective_ != 0)
    return write_event({begin_, ticks, what_.bytes, collective_, line_, root_,
                        static_cast<uint32_t>(EventKind::collective), thread_number()});
  const EventKind kind = what_.role == Role::wait  ? EventKind::wait
                         : what_.role == Role::put ? EventKind::store
                                                   : EventKind::call;
  const uint64_t bytes = what_.role == Role::wait ? what_.words : what_.bytes;
  write_event({begin_, ticks, bytes, place_of(what_.place), line_, what_.pe, static_cast<uint32_t>(kind),
               thread_number()});
}

}  // namespace atrium::profile
