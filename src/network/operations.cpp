// Performs operations: passes each to the wire when it may begin, and waits for it if it is a blocking one.
// SPDX-License-Identifier: BSD-3-Clause
#include <mutex>

#include "network/endpoint.hpp"
#include "network/waiting.hpp"

namespace atrium {

using Holding = std::lock_guard<ProgressLock>;

// Requires of these: the lock is held.
void Endpoint::perform(const Request& request) {
  const QueuedOperation queued = wire_.enqueue(request);
  wait([&] { return wire_.may_begin(request, queued); });
  if (has_failed()) return;
  wire_.begin(request, queued);
  traffic_.set_begun(wire_.begun());
  const bool gathers =
      request.is_awaited || request.next == Next::same_node || Wire::gathers(*queued.channel);
  if (protocol_of(request) != Protocol::record || !gathers) send(*queued.channel, false);
}

void Endpoint::await(const Pending& pending) {
  wait([&] { return is_complete(&pending); });
}

// By records, which need not wait for those before a fence: records are executed in order.
void Endpoint::put_in_pieces(Request put) {
  while (put.bytes > put_by_record) {
    Request piece = put;
    piece.kind = OperationKind::put;  // the last piece carries the signal
    piece.bytes = put_by_record;
    perform(piece);
    put.place = moved(put.place, put_by_record);
    put.here += put_by_record;
    put.bytes -= put_by_record;
  }
  perform(put);
}

// If the source may be used again at return, either it is copied, or the engine must have read it.
void Endpoint::put_holding(Request& put, bool later) {
  put.copies = false;  // whatever the block before was
  put.returns = nullptr;
  if (put.bytes <= put_by_copy && wire_.awaits_records(put)) return put_in_pieces(put);
  Pending returns = 0;
  if (!later && protocol_of(put) == Protocol::write) {
    put.copies = put.bytes <= put_by_copy;
    put.returns = &returns;
  }
  perform(put);
  await(returns);
}

void Endpoint::issue_one(Request& request, bool later) {
  const Holding lock(lock_);
  if (request.puts()) return put_holding(request, later);
  Pending mine = 0;
  request.is_awaited = !later;
  if (!later) request.pending = &mine;
  perform(request);
  await(mine);
}

void Endpoint::issue_blocks(Request& block, ptrdiff_t step, ptrdiff_t here_step, size_t count, bool later) {
  const Holding lock(lock_);
  Pending mine = 0;
  if (!block.puts() && !later) block.pending = &mine;
  for (size_t i = 0; i < count && !has_failed(); ++i) {
    block.puts() ? put_holding(block, later) : perform(block);
    block.place = moved(block.place, step);
    block.here += here_step;
  }
  await(mine);
}

void Endpoint::fence() {
  const Holding lock(lock_);
  wire_.fence();
}

void Endpoint::quiet(Pending* pending) {
  if (is_complete(pending)) return;
  const Holding lock(lock_);
  Quiet quiet(wire_, pending);
  looked_at_ = quiet.channels();
  wait([&] { return quiet.is_over(); });
}

void Endpoint::quiet_nodes(Pending*, const int* nodes, size_t count) {
  const Holding lock(lock_);
  Quiet quiet(wire_, nodes, count);
  wait([&] { return quiet.is_over(); });
}

void Endpoint::quiet_all() {
  const Holding lock(lock_);
  Quiet quiet(wire_);
  looked_at_ = quiet.channels();
  wait([&] { return quiet.is_over() && wire_.owes_nothing(); });
}

}  // namespace atrium
