// What an operation waits for before it may go.
// SPDX-License-Identifier: BSD-3-Clause
//
// An endpoint serves all threads of its PE and the PEs that share it, so there is no moment at which nothing is under way:
// an operation waits for what was so when it came, and for nothing that is begun after it.
#include "endpoint/endpoint.hpp"
#include "endpoint/waiting.hpp"

namespace atrium {

// Notes what is before the last fence, if nobody has yet: at the first operation behind it. That is all that is under way.
void Endpoint::note_fence(Channel& channel) {
  if (channel.fences_seen == fences_) return;
  channel.fences_seen = fences_;
  channel.fenced.writes = channel.writes.last_begun();
  channel.fenced.message = channel.last_appended();
}

Predecessors Endpoint::predecessors(Channel& channel, Travel travel, Behind behind) {
  note_fence(channel);
  const bool all_writes = behind == Behind::writes;
  Predecessors before{all_writes ? channel.writes.last_begun() : channel.fenced.writes, channel.answered};
  if (travel == Travel::read) before.message = channel.stored;
  if (travel == Travel::write) before.message = channel.fenced.message;
  // The engine keeps records, and `landed` ones, behind writes by itself; nothing keeps a read there.
  if (travel != Travel::read && engine_->traits().sends_after_writes) before.writes = 0;
  if (!channel.is_answered(before.message)) demand(channel);
  return before;
}

// The channel to that node with room for a record, when such an operation may go.
Channel& Endpoint::ready_channel(int node, Travel travel, Behind behind) {
  Channel& channel = channel_to(node);
  const Predecessors before = predecessors(channel, travel, behind);
  wait([&] { return channel.has_executed(before); });
  make_room(channel);
  return channel;
}

}  // namespace atrium
