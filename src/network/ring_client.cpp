// Writes a PE's operations as commands into the ring of the neighbour whose endpoint executes them.
// SPDX-License-Identifier: BSD-3-Clause
#include "network/ring_client.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <mutex>

#include "network/ring_waiting.hpp"

namespace atrium {
namespace {

using Holding = std::lock_guard<ProgressLock>;

}  // namespace

// A place for a command, where there is one left when all who have waited for longer have theirs. `before`: what had been
// written then.
Command* RingClient::take_room(const uint32_t& size, uint64_t& before) {
  uint64_t wanted = 0;
  for (const uint32_t* other : room_wanted_) {
    if (other == &size) break;
    wanted += block_.ring.most_taken(*other);
  }
  before = block_.ring.written();
  return block_.ring.has_room(size, wanted) ? block_.ring.reserve(size) : nullptr;
}

// Hands a command over; `data`, if any, lies behind it. Its counters are raised here, before others may hold the lock.
void RingClient::append(Command command, const void* data) {
  const size_t behind = data ? command.bytes : 0;
  command.size = command_size(behind);
  issue(&block_.counter[command.pending]);
  if (command.returns != Command::no_counter) issue(&block_.counter[command.returns]);
  uint64_t before = 0;
  Command* place = take_room(command.size, before);
  if (!place) {
    room_wanted_.push_back(&command.size);
    wait_holding([&] { return (place = take_room(command.size, before)) != nullptr; }, false, block_.room);
    std::erase(room_wanted_, &command.size);
  }
  *place = command;
  if (behind != 0) std::memcpy(place + 1, data, behind);
  if (plan_.traffic) plan_.traffic->begin();
  block_.ring.publish(command.size);
  plan_.bell->ring_if([&] { return block_.ring.is_executed(before); });
}

RingClient::Account* RingClient::open_account_of(const Pending* pending) {
  for (Account& account : accounts_) {
    if (account.pending == pending && !account.is_closed) return &account;
  }
  return nullptr;
}

// For one more context: a counter of its own, else, where there are more contexts than counters, that of the fewest. Quiets of
// contexts that share one wait for each other's operations.
uint16_t RingClient::counter_for_another() const {
  int contexts[RingBlock::contexts] = {};
  for (const Account& account : accounts_) ++contexts[account.counter - RingBlock::first_context];
  return static_cast<uint16_t>(RingBlock::first_context +
                               (std::min_element(std::begin(contexts), std::end(contexts)) - contexts));
}

// One more of a context's is under way. Null where no context will ask.
RingClient::Account* RingClient::count(Pending* pending) {
  if (!pending) return nullptr;
  Account* account = open_account_of(pending);
  if (!account) {
    accounts_.push_back({next_account_++, pending, counter_for_another()});
    account = &accounts_.back();
  }
  ++account->issued;
  issue(pending);
  return account;
}

void RingClient::put(Pending* pending, const Place& to, const void* source, size_t bytes, bool later) {
  if (bytes == 0) return;
  Command put{put_of(to, bytes)};
  if (bytes > put_by_record) return put_large(pending, put, static_cast<const char*>(source), later);
  const Holding lock(lock_);
  put.pending = counter_of(count(pending));
  append(put, source);
}

void RingClient::put_signal(Pending* pending, const Place& to, const void* source, size_t bytes,
                            const Place& signal, const WordChange& change, bool later) {
  Command put{signal_of(to, bytes, signal, change)};
  if (bytes > put_by_record) return put_large(pending, put, static_cast<const char*>(source), later);
  const Holding lock(lock_);
  put.pending = counter_of(count(pending));
  append(put, source);
}

void RingClient::raise(const Place& flag, uint64_t value, const Place& to, const void* source, size_t bytes) {
  put_signal(nullptr, to, source, bytes, flag, {WordOp::set, 8, value});
}

// A put of symmetric memory of mine is the owner's to move from there; with its counter a buffer tells a blocking one
// when that is done. As at an endpoint, a blocking one does not wait where a copy is cheap.
void RingClient::put_large(Pending* pending, const Command& put, const char* source, bool later) {
  const uint64_t at = symmetric(source, put.bytes);
  if (at == RingClientPlan::not_symmetric || (!later && put.bytes <= put_by_copy))
    return put_staged(pending, put, source);
  Command whole = put;
  whole.here = at;
  const int buffer = later ? -1 : take_buffer();
  if (!later) whole.returns = counter_of(buffer);
  {
    const Holding lock(lock_);
    whole.pending = counter_of(count(pending));
    append(whole);
  }
  if (later) return;
  await_buffer(buffer);
  give_back(buffer);
}

void RingClient::put_staged(Pending* pending, const Command& put, const char* source) {
  for (uint64_t at = 0; at < put.bytes;) {
    Command part = put;
    part.place.offset += at;
    part.bytes = std::min<uint64_t>(RingBlock::staging_bytes, put.bytes - at);
    if (at + part.bytes < put.bytes) part.kind = OperationKind::put;  // the last one brings the signal
    const bool is_small = part.bytes <= put_by_record;
    const int buffer = is_small ? -1 : take_buffer();
    if (!is_small) {
      char* staging = block_.staging[buffer];
      std::memcpy(staging, source + at, part.bytes);
      part.here = offset_in_block(staging);
      part.returns = counter_of(buffer);
    }
    const Holding lock(lock_);
    part.pending = counter_of(count(pending));
    append(part, is_small ? source + at : nullptr);
    if (!is_small) lend(buffer);
    at += part.bytes;
  }
}

void RingClient::put_blocks(Pending* pending, const Place& to, const void* source, ptrdiff_t to_step,
                            ptrdiff_t source_step, size_t block, size_t count, bool later) {
  const char* from = static_cast<const char*>(source);
  for (size_t i = 0; i < count; ++i)
    put(pending, moved(to, static_cast<ptrdiff_t>(i) * to_step),
        from + static_cast<ptrdiff_t>(i) * source_step, block, later);
}

void RingClient::change(Pending* pending, const Place& word, const WordChange& change) {
  Command command{change_of(word, change)};
  const Holding lock(lock_);
  command.pending = counter_of(count(pending));
  append(command);
}

void RingClient::fence() {
  Command command{Operation{.kind = OperationKind::fence}};
  command.pending = RingBlock::uncounted;
  const Holding lock(lock_);
  append(command);
}

uint64_t RingClient::fetch_change(const Place& word, const WordChange& change) {
  const int buffer = take_buffer();
  char* staging = block_.staging[buffer];
  Command command{fetch_of(word, change)};
  command.here = offset_in_block(staging);
  command.pending = counter_of(buffer);
  uint64_t old = 0;
  {
    const Waiter waiter(*this, false);  // before the command, so that it goes at once
    lock_.lock();
    append(command);
    lock_.unlock();
    await_buffer(buffer);
  }
  std::memcpy(&old, staging, change.width);
  give_back(buffer);
  return old;
}

// What cannot go where it belongs goes into the buffer of results.
void RingClient::get_later(Pending* pending, Command get, void* dest, size_t bytes) {
  get.here = symmetric(dest, bytes);
  const Holding lock(lock_);
  if (get.here == RingClientPlan::not_symmetric) {
    char* const result = take_result(bytes);
    results_.push_back({dest, result, bytes});
    get.here = offset_in_block(result);
    if (Account* const account = count(pending)) account->has_results = true;
    get.pending = RingBlock::results;
  } else {
    get.pending = counter_of(count(pending));
  }
  append(get);
}

void RingClient::fetch_change_later(Pending* pending, const Place& word, const WordChange& change,
                                    void* old) {
  get_later(pending, Command{fetch_of(word, change)}, old, change.width);
}

void RingClient::get(Pending* pending, void* dest, const Place& from, size_t bytes, bool later) {
  if (bytes == 0) return;
  const uint64_t at = symmetric(dest, bytes);
  const bool is_private = at == RingClientPlan::not_symmetric;
  Command get{get_of(from, bytes)};
  if (later && (!is_private || bytes <= get_by_record)) return get_later(pending, get, dest, bytes);
  if (is_private) return get_private(static_cast<char*>(dest), from, bytes);
  const int buffer = take_buffer();
  get.here = at;
  get.pending = counter_of(buffer);
  {
    const Waiter waiter(*this, false);
    lock_.lock();
    append(get);
    lock_.unlock();
    await_buffer(buffer);
  }
  give_back(buffer);
}

}  // namespace atrium
