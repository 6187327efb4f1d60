// The operations: each is handed to the wire when it may begin, and waited for where it is a blocking one.
// SPDX-License-Identifier: BSD-3-Clause
#include <mutex>

#include "network/endpoint.hpp"
#include "network/waiting.hpp"

namespace atrium {
namespace {

using Holding = std::lock_guard<ProgressLock>;

Request request_of(const Operation& operation, const void* here, Pending* pending) {
  return {operation, static_cast<char*>(const_cast<void*>(here)), pending};
}

}  // namespace

// Requires of these: the lock is held. `is_awaited`: the caller waits for it alone, which sends it.
void Endpoint::perform(const Request& request, bool is_awaited) {
  const Newcomer newcomer = wire_.arrive(request);
  wait([&] { return wire_.may_begin(request, newcomer); });
  if (has_failed()) return;
  wire_.begin(request, newcomer);
  traffic_.tell_begun(wire_.begun());
  const bool goes =
      travel_of(request) != Travel::record || (!is_awaited && wire_.goes_now(*newcomer.channel));
  if (goes) send(*newcomer.channel, false);
}

void Endpoint::await(const Pending& pending) {
  wait([&] { return is_complete(&pending); });
}

// Where the source may be used again at return, a copy of it is left behind, or the engine must have it.
// As records it need not wait for those in front of a fence: they are executed in order.
void Endpoint::put_in_pieces(Pending* pending, Operation operation, const char* source) {
  for (; operation.bytes > put_by_record; operation.bytes -= put_by_record, source += put_by_record) {
    perform(request_of(put_of(operation.place, put_by_record), source, pending));
    operation.place = moved(operation.place, put_by_record);
  }
  perform(request_of(operation, source, pending));
}

void Endpoint::put_one(Pending* pending, const Operation& operation, const void* source, bool later) {
  if (operation.bytes <= put_by_copy && wire_.awaits_records(operation))
    return put_in_pieces(pending, operation, static_cast<const char*>(source));
  Request request = request_of(operation, source, pending);
  Pending returns = 0;
  if (!later && travel_of(operation) == Travel::write) {
    request.copies = operation.bytes <= put_by_copy;
    if (!request.copies) request.returns = &returns;
  }
  perform(request);
  await(returns);
}

void Endpoint::put(Pending* pending, const Place& to, const void* source, size_t bytes, bool later) {
  if (bytes == 0) return;
  const Holding lock(lock_);
  put_one(pending, put_of(to, bytes), source, later);
}

void Endpoint::put_blocks(Pending* pending, const Place& to, const void* source, ptrdiff_t to_step,
                          ptrdiff_t source_step, size_t block, size_t count, bool later) {
  if (block == 0) return;
  const Holding lock(lock_);
  for (size_t i = 0; i < count && !has_failed(); ++i) {
    const auto step = static_cast<ptrdiff_t>(i);
    put_one(pending, put_of(moved(to, step * to_step), block),
            static_cast<const char*>(source) + step * source_step, later);
  }
}

void Endpoint::get(Pending* pending, void* dest, const Place& from, size_t bytes, bool later) {
  if (bytes == 0) return;
  const Holding lock(lock_);
  Pending mine = 0;
  perform(request_of(get_of(from, bytes), dest, later ? pending : &mine), !later);
  await(mine);
}

void Endpoint::get_blocks(Pending* pending, void* dest, const Place& from, ptrdiff_t dest_step,
                          ptrdiff_t from_step, size_t block, size_t count, bool later) {
  if (block == 0) return;
  const Holding lock(lock_);
  Pending mine = 0;
  for (size_t i = 0; i < count && !has_failed(); ++i) {
    const auto step = static_cast<ptrdiff_t>(i);
    perform(request_of(get_of(moved(from, step * from_step), block),
                       static_cast<char*>(dest) + step * dest_step, later ? pending : &mine));
  }
  await(mine);
}

void Endpoint::change(Pending* pending, const Place& word, const WordChange& change) {
  const Holding lock(lock_);
  perform(request_of(change_of(word, change), nullptr, pending));
}

uint64_t Endpoint::fetch_change(const Place& word, const WordChange& change) {
  const Holding lock(lock_);
  uint64_t old = 0;
  Pending mine = 0;
  perform(request_of(fetch_of(word, change), &old, &mine), true);
  await(mine);
  return old;
}

void Endpoint::fetch_change_later(Pending* pending, const Place& word, const WordChange& change, void* old) {
  const Holding lock(lock_);
  perform(request_of(fetch_of(word, change), old, pending));
}

void Endpoint::put_signal(Pending* pending, const Place& to, const void* source, size_t bytes,
                          const Place& signal, const WordChange& change, bool later) {
  const Holding lock(lock_);
  put_one(pending, signal_of(to, bytes, signal, change), source, later);
}

void Endpoint::raise(const Place& flag, uint64_t value, const Place& to, const void* source, size_t bytes) {
  put_signal(nullptr, bytes != 0 ? to : flag, source, bytes, flag, {WordOp::set, 8, value});
}

void Endpoint::fence() {
  const Holding lock(lock_);
  wire_.fence();
}

void Endpoint::quiet(const Pending* pending) {
  if (is_complete(pending)) return;
  const Holding lock(lock_);
  Quiet quiet(wire_, pending);
  looked_at_ = quiet.channels();
  wait([&] { return quiet.is_over(); });
}

void Endpoint::quiet_nodes(const Pending*, const int* nodes, size_t count) {
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
