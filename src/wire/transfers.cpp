// Data too large for a record: a network's writes and reads move it directly between the memories of user and target.
// SPDX-License-Identifier: BSD-3-Clause
//
// A write is complete when the target's CPU has acknowledged its `landed` record, which also wakes the threads that wait for
// the data there. The record's message asks for that only where something waits for the write, or will (Wire::awaits_landing). If
// the network delivers messages after the writes before them, the record follows the write at once, and the network reports only
// that the source may be reused, which may be after the acknowledgement. Otherwise the record is sent after the network has
// reported the write.
#include <algorithm>
#include <cstring>

#include "wire/wire.hpp"

namespace atrium {

// Moves a put's source into a copy, so that the put may return.
void Wire::leave_copy(Transfer& put) {
  if (free_copies_.empty()) {
    copies_.push_back(std::make_unique_for_overwrite<char[]>(put_by_copy));
    free_copies_.push_back(copies_.back().get());
  }
  put.copy = free_copies_.back();
  free_copies_.pop_back();
  ++put.channel->copies;
  std::memcpy(put.copy, put.local, put.bytes);
  put.local = put.copy;
  put.returns = nullptr;
}

void Wire::give_copy_back(Transfer& put) {
  free_copies_.push_back(put.copy);
  --put.channel->copies;
}

void Wire::begin_transfer(Channel& channel, const Request& request) {
  if (free_transfers_.empty()) {
    transfers_kept_.push_back(std::make_unique<Transfer>());
    free_transfers_.push_back(transfers_kept_.back().get());
  }
  Transfer& transfer = *free_transfers_.back();
  free_transfers_.pop_back();
  transfer = {.channel = &channel,
              .local = request.here,
              .pending = request.pending,
              .returns = request.returns,
              .place = request.place,
              .bytes = request.bytes,
              .signal = request.signal_place(),
              .signal_change = request.change};
  transfer.is_write = request.puts();
  transfer.has_signal = request.kind == OperationKind::signal;
  if (request.copies && has_copy_left()) leave_copy(transfer);
  // What a write is counted for: the network's report, the target's acknowledgement, and its signal.
  issue(transfer.pending, transfer.has_signal ? 3 : transfer.is_write ? 2 : 1);
  issue(transfer.returns);
  transfer.number = transfer.is_write ? channel.writes.begin() : channel.reads.begin();
  transfer.ordinal = transfers_.begin();
  ++channel.moving;
  ++begun_;
  channel.unposted.push_back(&transfer);
  list(channel);
}

std::optional<Part> Wire::next_part(Channel& channel) {
  if (channel.unposted.empty()) return std::nullopt;
  Transfer& transfer = *channel.unposted.front();
  return Part{&transfer, transfer.place.offset + transfer.posted, transfer.local + transfer.posted,
              std::min<uint64_t>(plan_.largest_part, transfer.bytes - transfer.posted)};
}

void Wire::posted(const Part& part, PostOutcome outcome) {
  Transfer& transfer = *part.transfer;
  Channel& channel = *transfer.channel;
  channel.refused = outcome == PostOutcome::refused;
  if (channel.refused) return;
  if (transfer.posted == 0) transfer.way = channel.way;
  transfer.posted += part.bytes;
  if (outcome == PostOutcome::kept) ++transfer.parts;
  if (transfer.posted != transfer.bytes) return;
  channel.unposted.pop_front();
  if (transfer.is_write) channel.writes_posted = transfer.number;
  if (transfer.is_write && plan_.sends_after_writes) announce(transfer);
  release(transfer);
}

// Appends the record that the data is there, and then the signal, both in one message: its acknowledgement ends the write, and who
// waits for the write waits for its signal, too.
void Wire::announce(Transfer& transfer) {
  transfer.announced = true;
  Channel& channel = *transfer.channel;
  const Place& place = transfer.place;
  const size_t bytes = (transfer.has_signal ? 2 : 1) * record_bytes(8);
  if (channel.open && channel.open->used + bytes > records_end) close_open(channel);
  const RecordHeader header{RecordKind::landed, 0, static_cast<uint16_t>(place.local), 0, place.offset};
  std::memcpy(append(channel, header, 8, transfer.pending), &transfer.bytes, 8);
  channel.open->landed.push_back(&transfer);
  if (transfer.has_signal)
    append_change(channel, transfer.signal, transfer.signal_change, transfer.pending, 0, false);
  channel.has_replies = true;  // the message is sent without waiting for further records
  list(channel);
}

void Wire::part_done(Transfer& transfer) {
  // The end of a read counts as received from that node, since no message comes with it; so does the end of a part of a write.
  owner_.answered(*transfer.channel);
  release(transfer);
}

void Wire::release(Transfer& transfer) {
  if (--transfer.parts != 0) return;
  --transfer.channel->moving;
  if (transfer.is_write && !transfer.announced) announce(transfer);
  if (transfer.copy) give_copy_back(transfer);
  complete(transfer.returns);
  complete(transfer.pending);
  ++ended_;
  end_if_over(transfer);
}

// A write ends with the network's report and its acknowledgement, whichever comes last: after a quiet the context may be destroyed,
// whose counter both take down.
void Wire::end_if_over(Transfer& transfer) {
  if (transfer.parts != 0 || (transfer.is_write && !transfer.has_landed)) return;
  (transfer.is_write ? transfer.channel->writes : transfer.channel->reads).end(transfer.number);
  transfers_.end(transfer.ordinal);
  free_transfers_.push_back(&transfer);
}

}  // namespace atrium
