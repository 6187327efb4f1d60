// The operations: each becomes records, or a transfer.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstring>
#include <mutex>

#include "endpoint/endpoint.hpp"
#include "endpoint/pending.hpp"
#include "endpoint/thresholds.hpp"
#include "endpoint/waiting.hpp"

namespace atrium {

using Holding = std::lock_guard<ProgressLock>;

void Endpoint::append_put(Channel& channel, const Place& to, const void* source, size_t bytes,
                          Pending* pending) {
  issue(pending);
  const RecordHeader header{RecordKind::put, 0, static_cast<uint16_t>(to.local), static_cast<uint32_t>(bytes),
                            to.offset};
  std::memcpy(append(channel, header, bytes, pending), source, bytes);
  channel.stored = channel.last_appended();
}

void Endpoint::put(Pending* pending, const Place& to, const void* source, size_t bytes, bool later) {
  if (bytes == 0) return;
  const Holding lock(lock_);
  const Travel travel = travel_of_put(bytes);
  Channel& channel = ready_channel(to.node, travel, Behind::fence);
  if (travel == Travel::write) return write(channel, pending, to, source, bytes, later, nullptr, nullptr);
  append_put(channel, to, source, bytes, pending);
  appended(channel);
}

void Endpoint::put_blocks(Pending* pending, const Place& to, const void* source, ptrdiff_t to_step,
                          ptrdiff_t source_step, size_t block, size_t count, bool later) {
  if (block == 0) return;
  const Holding lock(lock_);
  const char* from = static_cast<const char*>(source);
  const Travel travel = travel_of_put(block);
  Place place = to;
  for (size_t i = 0; i < count && !has_failed(); ++i) {
    Channel& channel = ready_channel(to.node, travel, Behind::fence);
    if (travel == Travel::write) {
      write(channel, pending, place, from, block, later, nullptr, nullptr);
    } else {
      append_put(channel, place, from, block, pending);
      appended(channel);
    }
    place.offset += static_cast<uint64_t>(to_step);
    from += source_step;
  }
}

// Whether `who`, a thread or another PE, may fetch now. If not it stands in line until it does, and who comes later leaves
// enough for those before it: else who goes on fetching would be served alone.
bool Endpoint::may_fetch(Channel& channel, const void* who) const {
  auto& line = channel.fetchers;
  const auto place = std::find(line.begin(), line.end(), who);
  const auto before = static_cast<size_t>(place - line.begin());
  const bool may = before < free_fetches_.size() &&
                   channel.awaited + before * record_bytes(largest_reply) < Channel::most_awaited;
  if (!may && place == line.end()) line.push_back(who);
  return may;
}

void Endpoint::await_turn_to_fetch(Channel& channel) {
  char me = 0;
  if (may_fetch(channel, &me)) return;
  wait([&] { return may_fetch(channel, &me); });
  std::erase(channel.fetchers, &me);
}

// Requires: it may.
uint32_t Endpoint::new_fetch(Channel& channel, void* dest, size_t bytes, Pending* pending) {
  if (has_failed()) return 0;
  const uint32_t index = free_fetches_.back();
  free_fetches_.pop_back();
  Fetch& fetch = fetches_[index];
  fetch.dest = static_cast<char*>(dest);
  fetch.bytes = bytes;
  fetch.pending = pending;
  fetch.channel = &channel;
  fetch.in_use = true;
  ++channel.fetches_issued;
  channel.awaited += record_bytes(bytes);
  issue(pending);
  return fetch.generation << fetch_index_bits | index;
}

void Endpoint::append_get(Channel& channel, void* dest, const Place& from, size_t bytes, Pending* pending) {
  const uint32_t token = new_fetch(channel, dest, bytes, pending);
  const RecordHeader header{RecordKind::get, 0, static_cast<uint16_t>(from.local), token, from.offset};
  const uint64_t length = bytes;
  std::memcpy(append(channel, header, 8, nullptr), &length, 8);
}

void Endpoint::get(Pending* pending, void* dest, const Place& from, size_t bytes, bool later) {
  if (bytes == 0) return;
  const Holding lock(lock_);
  const Travel travel = travel_of_get(bytes);
  Channel& channel = ready_channel(from.node, travel, Behind::writes);
  Pending mine = 0;
  Pending* awaited = later ? pending : &mine;
  if (travel == Travel::read) {
    read(channel, awaited, dest, from, bytes);
  } else {
    await_turn_to_fetch(channel);
    append_get(channel, dest, from, bytes, awaited);
    later ? appended(channel) : pump(channel, true);
    list(channel);
  }
  if (!later) wait([&] { return is_complete(&mine); });
}

void Endpoint::get_blocks(Pending* pending, void* dest, const Place& from, ptrdiff_t dest_step,
                          ptrdiff_t from_step, size_t block, size_t count, bool later) {
  if (block == 0) return;
  const Holding lock(lock_);
  Pending mine = 0;
  Pending* awaited = later ? pending : &mine;
  char* to = static_cast<char*>(dest);
  const Travel travel = travel_of_get(block);
  Place place = from;
  for (size_t i = 0; i < count && !has_failed(); ++i) {
    Channel& channel = ready_channel(from.node, travel, Behind::writes);
    if (travel == Travel::read) {
      read(channel, awaited, to, place, block);
    } else {
      await_turn_to_fetch(channel);
      append_get(channel, to, place, block, awaited);
      appended(channel);
    }
    place.offset += static_cast<uint64_t>(from_step);
    to += dest_step;
  }
  if (!later) wait([&] { return is_complete(&mine); });
}

void Endpoint::change(Pending* pending, const Place& word, const Change& change) {
  const Holding lock(lock_);
  Channel& channel = ready_channel(word.node, Travel::record, Behind::fence);
  issue(pending);
  append_change(channel, word, change, pending, 0, false);
  channel.stored = channel.last_appended();
  appended(channel);
}

uint64_t Endpoint::fetch_change(const Place& word, const Change& change) {
  const Holding lock(lock_);
  Channel& channel = ready_channel(word.node, Travel::record, Behind::fence);
  uint64_t old = 0;
  Pending mine = 0;
  await_turn_to_fetch(channel);
  const uint32_t token = new_fetch(channel, &old, change.width, &mine);
  append_change(channel, word, change, nullptr, token, true);
  list(channel);
  pump(channel, true);
  wait([&] { return is_complete(&mine); });
  return old;
}

void Endpoint::fetch_change_later(Pending* pending, const Place& word, const Change& change, void* old) {
  const Holding lock(lock_);
  Channel& channel = ready_channel(word.node, Travel::record, Behind::fence);
  await_turn_to_fetch(channel);
  const uint32_t token = new_fetch(channel, old, change.width, pending);
  append_change(channel, word, change, nullptr, token, true);
  appended(channel);
}

void Endpoint::put_signal(Pending* pending, const Place& to, const void* source, size_t bytes,
                          const Place& signal, const Change& change, bool later) {
  const Holding lock(lock_);
  const Travel travel = travel_of_put(bytes);
  Channel& channel = ready_channel(to.node, travel, Behind::writes);
  if (travel == Travel::write) return write(channel, pending, to, source, bytes, later, &signal, &change);
  if (bytes != 0) append_put(channel, to, source, bytes, pending);
  issue(pending);
  append_change(channel, signal, change, pending, 0, false);
  appended(channel);
}

void Endpoint::raise(const Place& flag, uint64_t value, const Place& to, const void* source, size_t bytes) {
  const Holding lock(lock_);
  const Travel travel = travel_of_put(bytes);
  Channel& channel = ready_channel(flag.node, travel, Behind::writes);
  if (travel == Travel::write) {
    const Change set{RecordOp::set, 8, value};
    return write(channel, nullptr, to, source, bytes, false, &flag, &set);
  }
  if (bytes != 0) append_put(channel, to, source, bytes, nullptr);
  append_change(channel, flag, Change{RecordOp::set, 8, value}, nullptr, 0, false);
  appended(channel);
}

void Endpoint::fence() {
  const Holding lock(lock_);
  ++fences_;
}

void Endpoint::quiet(const Pending* pending) {
  if (is_complete(pending)) return;
  const Holding lock(lock_);
  wait_for_active(pending);
}

void Endpoint::quiet_nodes(const Pending*, const int* nodes, size_t count) {
  const Holding lock(lock_);
  for (size_t i = 0; i < count; ++i) demand(channel_to(nodes[i]));
  for (size_t i = 0; i < count; ++i) wait_until_confirmed(channel_to(nodes[i]));
}

void Endpoint::quiet_all() {
  const Holding lock(lock_);
  wait_for_active(nullptr);
  wait([&] {
    return std::none_of(active_.begin(), active_.end(),
                        [](const Channel* channel) { return channel->must_tell; });
  });
}

// Where another thread is in here, too, its places in the list must stay: then nothing is taken out of it.
void Endpoint::wait_for_active(const Pending* pending) {
  if (quiets_++ == 0) {
    std::erase_if(active_, [](Channel* channel) { return !(channel->is_active = !channel->is_quiet()); });
  }
  looked_at_ = active_.size();
  demand_all();
  for (size_t i = 0; i < active_.size(); ++i) wait_until_confirmed(*active_[i], pending);
  --quiets_;
}

// All that was appended or posted so far is executed, and all that was asked for is here; or nothing is pending that was
// counted there. While this PE waited for another channel, replies and other threads may have appended something here for which
// nobody has asked yet. What they begin from now on is not waited for: they may go on for ever.
void Endpoint::wait_until_confirmed(Channel& channel, const Pending* pending) {
  if (pending && is_complete(pending)) return;
  demand(channel);
  const Predecessors before{channel.writes.last_begun(), channel.last_appended()};
  const uint64_t reads = channel.reads.last_begun();
  const uint32_t fetches = channel.fetches_issued;
  wait([&] {
    if (pending && is_complete(pending)) return true;
    return channel.has_executed(before) && channel.reads.have_ended(reads) &&
           static_cast<int32_t>(channel.fetches_done - fetches) >= 0;
  });
}

}  // namespace atrium
