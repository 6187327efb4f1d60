// Data too large for a record: the engine's writes and reads, straight between the memories of user and target.
// SPDX-License-Identifier: BSD-3-Clause
//
// A write is complete when the target's CPU has acknowledged its `landed` record, which also wakes who waits for
// the data there. Where the engine keeps messages behind writes the record follows the write at once, and the engine reports
// no more than that it has let go of the source; elsewhere the record follows that report.
#include <algorithm>
#include <cstring>

#include "endpoint/endpoint.hpp"
#include "endpoint/pending.hpp"
#include "endpoint/thresholds.hpp"
#include "endpoint/waiting.hpp"

namespace atrium {

Endpoint::Transfer& Endpoint::take_transfer(Channel& channel, Pending* pending, const Place& place,
                                            uint64_t bytes) {
  if (free_transfers_.empty()) {
    transfers_kept_.push_back(std::make_unique<Transfer>());
    free_transfers_.push_back(transfers_kept_.back().get());
  }
  Transfer& transfer = *free_transfers_.back();
  free_transfers_.pop_back();
  transfer = {.channel = &channel, .pending = pending, .place = place, .bytes = bytes};
  return transfer;
}

void Endpoint::give_back(Transfer& transfer) { free_transfers_.push_back(&transfer); }

uint64_t Endpoint::begin_transfer() {
  const uint64_t ordinal = transfers_.begin();
  hearing_.tell_transfers(transfers_.last_begun(), transfers_.oldest());
  return ordinal;
}

void Endpoint::end_transfer(uint64_t ordinal) {
  transfers_.end(ordinal);
  hearing_.tell_transfers(transfers_.last_begun(), transfers_.oldest());
}

char* Endpoint::take_bounce() {
  if (free_bounces_.empty() && bounces_.size() < bounce_count) {
    bounces_.push_back(std::make_unique_for_overwrite<char[]>(put_by_copy));
    free_bounces_.push_back(bounces_.back().get());
  }
  wait([&] { return !free_bounces_.empty(); });
  if (free_bounces_.empty()) return nullptr;
  char* bounce = free_bounces_.back();
  free_bounces_.pop_back();
  return bounce;
}

Endpoint::Transfer& Endpoint::new_write(Channel& channel, Pending* pending, const Place& to, uint64_t bytes,
                                        const Place* signal, const Change* change) {
  Transfer& transfer = take_transfer(channel, pending, to, bytes);
  transfer.is_write = true;
  if (signal) {
    transfer.has_signal = true;
    transfer.signal = *signal;
    transfer.signal_change = *change;
  }
  return transfer;
}

void Endpoint::start_write(Transfer& transfer, char* local) {
  issue(transfer.pending, transfer.has_signal ? 3 : 2);  // for the engine's word and for the target's
  transfer.number = transfer.channel->writes.begin();
  activate(*transfer.channel);
  transfer.ordinal = begin_transfer();
  traffic_.begin();
  post_parts(transfer, local);
}

void Endpoint::write(Channel& channel, Pending* pending, const Place& to, const void* source, size_t bytes,
                     bool later, const Place* signal, const Change* change) {
  Pending returns = 0;
  Transfer& transfer = new_write(channel, pending, to, bytes, signal, change);
  char* local = const_cast<char*>(static_cast<const char*>(source));
  if (!later && bytes <= put_by_copy) {
    transfer.bounce = take_bounce();
    if (!transfer.bounce) return give_back(transfer);  // failed meanwhile
    std::memcpy(transfer.bounce, source, bytes);
    local = transfer.bounce;
  } else if (!later) {
    transfer.returns = &returns;
  }
  start_write(transfer, local);
  wait([&] { return is_complete(&returns); });
}

void Endpoint::read(Channel& channel, Pending* pending, void* dest, const Place& from, size_t bytes) {
  Transfer& transfer = take_transfer(channel, pending, from, bytes);
  issue(pending);
  transfer.number = channel.reads.begin();
  activate(channel);
  transfer.ordinal = begin_transfer();
  traffic_.begin();
  post_parts(transfer, static_cast<char*>(dest));
}

// Requires: nobody else knows the transfer yet. It may be gone at return.
void Endpoint::post_parts(Transfer& transfer, char* local) {
  Channel& channel = *transfer.channel;
  const size_t largest = engine_->traits().largest_transfer;
  issue(transfer.returns);
  transfer.parts = 1;  // holds it until all are posted
  for (uint64_t at = 0; at < transfer.bytes && !has_failed();) {
    const size_t bytes = std::min<uint64_t>(largest, transfer.bytes - at);
    const uint64_t place = transfer.place.offset + at;
    ++transfer.parts;
    Post post = Post::later;
    wait([&] {
      if (post != Post::later) return true;  // another thread has posted it, while this one slept
      if (!may_transfer(channel)) return false;
      if (at == 0) transfer.links = channel.links_known;
      post = transfer.is_write
                 ? engine_->write(channel.peer, channel.region, place, local + at, bytes, &transfer)
                 : engine_->read(channel.peer, channel.region, place, local + at, bytes, &transfer);
      channel.refused = post == Post::later;
      return post != Post::later;
    });
    if (post == Post::failed) return fail_of_engine();
    at += bytes;
  }
  if (transfer.is_write && engine_->traits().sends_after_writes) announce(transfer);
  part_done(transfer);
}

// Tells the target that the data is there, and then the signal.
void Endpoint::announce(Transfer& transfer) {
  transfer.announced = true;
  Channel& channel = *transfer.channel;
  append_landed(channel, transfer);
  if (transfer.has_signal)
    append_change(channel, transfer.signal, transfer.signal_change, transfer.pending, 0, false);
  list(channel);
  pump(channel, true);
}

void Endpoint::part_done(Transfer& transfer) {
  // Reads bring no message: this is what is heard of a node from which much is read, and of one that takes what is written.
  heard(*transfer.channel);
  if (--transfer.parts != 0) return;
  if (!transfer.is_write) {
    transfer.channel->reads.end(transfer.number);
    end_transfer(transfer.ordinal);
  }
  if (transfer.is_write && !transfer.announced) announce(transfer);
  if (transfer.bounce) free_bounces_.push_back(transfer.bounce);
  complete(transfer.returns);
  complete(transfer.pending);
  traffic_.end();
  give_back(transfer);
}

}  // namespace atrium
