// What an operation waits for before it may begin, and the records that are made of it.
// SPDX-License-Identifier: BSD-3-Clause
//
// An endpoint serves all threads of its PE and the PEs that share it, so there is no moment at which nothing is under way:
// an operation waits for what was under way when it was issued, and for nothing that begins later.
#include <algorithm>
#include <cstring>

#include "wire/wire.hpp"

namespace atrium {
namespace {

bool awaits_reply(const Operation& operation) {
  return operation.kind == OperationKind::fetch ||
         (operation.kind == OperationKind::get && protocol_of(operation) == Protocol::record);
}

// It waits for all writes that have begun, whatever fences are between.
bool is_behind_writes(const Operation& operation) {
  return operation.kind == OperationKind::get || operation.kind == OperationKind::signal;
}

RecordHeader header_of(RecordKind kind, const Place& place, uint32_t token) {
  return {kind, 0, static_cast<uint16_t>(place.local), token, place.offset};
}

}  // namespace

// At the first operation after a fence: notes what was issued before it, which is all that is under way.
void Wire::note_fence(Channel& channel) {
  if (channel.fences_seen == fences_) return;
  channel.fences_seen = fences_;
  channel.fenced.writes = channel.writes.last_begun();
  channel.fenced.message = channel.last_appended();
}

bool Wire::awaits_records(const Operation& operation) {
  if (protocol_of(operation) != Protocol::write) return false;
  Channel& channel = channel_to(operation.place.node);
  note_fence(channel);
  return !channel.is_answered(channel.fenced.message);
}

QueuedOperation Wire::enqueue(const Operation& operation) {
  Channel& channel = channel_to(operation.place.node);
  note_fence(channel);
  const Protocol protocol = protocol_of(operation);
  // Such a network delivers records, also `landed` ones, after the writes that were posted before. It does not order reads.
  const bool is_kept_behind = plan_.sends_after_writes && protocol != Protocol::read;
  const bool is_behind_all = is_behind_writes(operation) && !(is_kept_behind && protocol == Protocol::write);
  Predecessors before{is_behind_all ? channel.writes.last_begun() : channel.fenced.writes, channel.answered};
  if (protocol == Protocol::read) before.message = channel.stored;
  if (protocol == Protocol::write) before.message = channel.fenced.message;
  if (is_kept_behind && protocol == Protocol::record) before.posted = std::exchange(before.writes, 0);
  if (!channel.is_answered(before.message)) demand(channel);
  await_landing(channel, before.writes);
  return {&channel, before};
}

// Writes up to this one have to land. The landed record of the last one may be on its way without having asked.
void Wire::await_landing(Channel& channel, uint64_t writes) {
  if (channel.writes.have_ended(writes)) return;
  channel.landing_awaited = std::max(channel.landing_awaited, writes);
  if (!channel.writes.have_ended(channel.landing_unasked)) ask(channel);
}

bool Wire::may_begin(const Request& request, const QueuedOperation& queued) {
  Channel& channel = *queued.channel;
  if (!channel.has_executed(queued.before) || channel.waiting.size() >= Channel::most_waiting) return false;
  if (protocol_of(request) != Protocol::record && !channel.unposted.empty()) return false;
  // One of its own channel comes back. Those of another may not, if its peer is stopped: then it leaves none.
  if (request.copies && !has_copy_left() && channel.copies != 0) return false;
  return !awaits_reply(request) || may_fetch(channel, queued);
}

// Whether it may fetch now. If not, it joins the end of a list, and later operations leave enough resources for those in the
// list: otherwise a thread that keeps fetching would be served alone.
bool Wire::may_fetch(Channel& channel, const QueuedOperation& queued) const {
  auto& line = channel.fetchers;
  const auto place = std::find(line.begin(), line.end(), &queued);
  const auto before = static_cast<size_t>(place - line.begin());
  const bool may = before < free_fetches_.size() &&
                   channel.awaited + before * record_bytes(largest_reply) < Channel::most_awaited;
  if (!may && place == line.end()) line.push_back(&queued);
  return may;
}

void Wire::begin(const Request& request, const QueuedOperation& queued) {
  Channel& channel = *queued.channel;
  if (awaits_reply(request)) std::erase(channel.fetchers, &queued);
  if (protocol_of(request) != Protocol::record) return begin_transfer(channel, request);
  if (!request.is_awaited && channel.unanswered.empty()) guess(channel);
  if (request.puts() && request.bytes != 0) append_put(channel, request);
  if (request.kind == OperationKind::get) append_get(channel, request);
  if (request.kind == OperationKind::fetch) append_fetch(channel, request);
  if (request.kind == OperationKind::change || request.kind == OperationKind::signal) {
    const bool signals = request.kind == OperationKind::signal;
    issue(request.pending);
    append_change(channel, signals ? request.signal_place() : request.place, request.change, request.pending,
                  0, false);
    channel.stored = channel.last_appended();
  }
  list(channel);
}

// Guesses whether a thread will wait for a record, by whether the last guess was right.
void Wire::guess(Channel& channel) {
  if (channel.guessing && channel.guess > 0) --channel.guess;
  channel.guessing = true;
}

void Wire::append_put(Channel& channel, const Request& put) {
  issue(put.pending);
  const RecordHeader header = header_of(RecordKind::put, put.place, static_cast<uint32_t>(put.bytes));
  std::memcpy(append(channel, header, put.bytes, put.pending), put.here, put.bytes);
  channel.stored = channel.last_appended();
}

uint32_t Wire::new_fetch(Channel& channel, const Request& request, size_t bytes) {
  const uint32_t index = free_fetches_.back();
  free_fetches_.pop_back();
  Fetch& fetch = fetches_[index];
  fetch.dest = request.here;
  fetch.bytes = bytes;
  fetch.pending = request.pending;
  fetch.channel = &channel;
  fetch.in_use = true;
  ++channel.fetches_issued;
  channel.awaited += record_bytes(bytes);
  issue(request.pending);
  return fetch.generation << fetch_index_bits | index;
}

void Wire::append_get(Channel& channel, const Request& get) {
  const uint32_t token = new_fetch(channel, get, get.bytes);
  std::memcpy(append(channel, header_of(RecordKind::get, get.place, token), 8, nullptr), &get.bytes, 8);
}

void Wire::append_fetch(Channel& channel, const Request& fetch) {
  const uint32_t token = new_fetch(channel, fetch, fetch.change.width);
  append_change(channel, fetch.place, fetch.change, nullptr, token, true);
  if (fetch.change.op != WordOp::fetch) channel.stored = channel.last_appended();
}

}  // namespace atrium
