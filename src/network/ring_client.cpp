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

// A place for a command, if one is left when all threads that have waited for longer have theirs. `before`: what had been
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

// Publishes a command; `data`, if any, lies behind it. Its counters are raised here, before others may hold the lock.
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

// For one more context: a counter of its own, else, where there are more contexts than counters, that of the fewest; one that a
// quiet waits for at last. Quiets of contexts that share one wait for each other's operations, as far as these came before.
uint16_t RingClient::counter_for_another() const {
  size_t contexts[RingBlock::contexts] = {};
  for (const Account& account : accounts_)
    contexts[account.counter - RingBlock::first_context] += account.is_closed ? accounts_.size() : 1;
  return static_cast<uint16_t>(RingBlock::first_context +
                               (std::min_element(std::begin(contexts), std::end(contexts)) - contexts));
}

// One more operation of a context is under way. Null if no context will wait for it.
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

void RingClient::issue_one(Request& request, bool later) {
  Command command{request};
  if (request.kind == OperationKind::get || request.kind == OperationKind::fetch) {
    const size_t bytes = request.kind == OperationKind::get ? request.bytes : request.change.width;
    if (later && (bytes <= get_by_record || symmetric(request.here, bytes) != RingClientPlan::not_symmetric))
      return fetch_later(request.pending, command, request.here, bytes);
    return fetch_now(command, request.here, bytes);
  }
  if (request.puts() && request.bytes > put_by_record)
    return put_large(request.pending, command, request.here, later);
  const Holding lock(lock_);
  command.pending = counter_of(count(request.pending));
  append(command, request.here);
}

// A put from symmetric memory of mine is read there by the owner; a blocking one finds by the counter of a buffer when that is
// done. As at an endpoint, a blocking one does not wait where a copy is cheap.
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
    if (at + part.bytes < put.bytes) part.kind = OperationKind::put;  // the last part carries the signal
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

void RingClient::fence() {
  Command command{Operation{.kind = OperationKind::fence}};
  command.pending = RingBlock::uncounted;
  const Holding lock(lock_);
  append(command);
}

// A result that the owner cannot store at its destination goes into the buffer of results.
void RingClient::fetch_later(Pending* pending, Command fetch, void* dest, size_t bytes) {
  fetch.here = symmetric(dest, bytes);
  const Holding lock(lock_);
  if (fetch.here == RingClientPlan::not_symmetric) {
    char* const result = take_result(bytes);
    results_.push_back({dest, result, bytes});
    fetch.here = offset_in_block(result);
    if (Account* const account = count(pending)) account->has_results = true;
    fetch.pending = RingBlock::results;
  } else {
    fetch.pending = counter_of(count(pending));
  }
  append(fetch);
}

// Data for other memory than my symmetric memory come through a buffer; for symmetric memory its counter says when they are there.
void RingClient::fetch_now(Command fetch, void* dest, size_t bytes) {
  fetch.here = symmetric(dest, bytes);
  const bool is_private = fetch.here == RingClientPlan::not_symmetric;
  if (is_private && bytes > RingBlock::staging_bytes)
    return get_private(static_cast<char*>(dest), fetch.place, bytes);
  const int buffer = take_buffer();
  char* const staging = block_.staging[buffer];
  if (is_private) fetch.here = offset_in_block(staging);
  fetch.pending = counter_of(buffer);
  {
    const Waiter waiter(*this, false);  // before the command, so that it is sent at once
    lock_.lock();
    append(fetch);
    lock_.unlock();
    await_buffer(buffer);
  }
  if (is_private) std::memcpy(dest, staging, bytes);
  give_back(buffer);
}

}  // namespace atrium
