// How a client uses staging buffers and the buffer of results, and how it waits for them.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstring>
#include <deque>
#include <mutex>

#include "network/ring_waiting.hpp"
#include "os/clock.hpp"

namespace atrium {
namespace {

using Holding = std::lock_guard<ProgressLock>;
constexpr size_t most_results = 4096;

}  // namespace

RingClient::Waiter::Waiter(RingClient& client, bool asks) : block_(client.block_) {
  block_.questions.begin_wait();
  if (!asks) return;
  block_.questions.ask();
  client.plan_.bell->ring();
}

// False when it is time to sleep.
bool RingClient::may_look_again(WaitStages& stages) {
  if (plan_.idle) return plan_.idle(plan_.subject), true;
  const WaitStages::Stage stage = stages.next(now_ns);
  // The owner has just begun to compute: its threads will see the command, but later.
  if (stages.is_first_yield() && !block_.ring.is_empty()) plan_.bell->ring_anyhow();
  stages.rest(stage);
  return stage != WaitStages::Stage::sleep;
}

void RingClient::await(uint16_t counter, bool asks) {
  wait([&] { return is_complete(&block_.counter[counter]); }, asks, block_.done);
}

// A free one, or -1. Those that were lent are free when their counters are down.
int RingClient::find_buffer() {
  for (int i = 0; i < static_cast<int>(RingBlock::staging_buffers); ++i) {
    if (buffers_[i] == Buffer::held) continue;
    if (buffers_[i] == Buffer::lent && !is_complete(&block_.counter[counter_of(i)])) continue;
    buffers_[i] = Buffer::held;
    return i;
  }
  return -1;
}

int RingClient::take_buffer() {
  int buffer = -1;
  const Holding lock(lock_);
  wait_holding([&] { return (buffer = find_buffer()) >= 0; }, false, block_.done);
  return buffer;
}

// Requires: the lock is held.
void RingClient::lend(int buffer) { buffers_[buffer] = Buffer::lent; }

void RingClient::give_back(int buffer) {
  {
    const Holding lock(lock_);
    buffers_[buffer] = Buffer::free;
  }
  block_.done.ring();  // another thread may wait for one
}

// While one part is copied the next one is under way, if there is a buffer for it.
void RingClient::get_private(char* dest, const Place& from, size_t bytes) {
  struct Part {
    int buffer;
    size_t at, bytes;
  };
  std::deque<Part> under_way;
  const Waiter waiter(*this, false);
  for (size_t at = 0; at < bytes || !under_way.empty();) {
    int buffer = -1;
    if (at < bytes) {
      if (under_way.empty()) buffer = take_buffer();
      const Holding lock(lock_);
      if (buffer < 0 && under_way.size() < 2) buffer = find_buffer();
      if (buffer >= 0) {
        Command get{
            get_of(moved(from, static_cast<ptrdiff_t>(at)), std::min(RingBlock::staging_bytes, bytes - at))};
        get.here = offset_in_block(block_.staging[buffer]);
        get.pending = counter_of(buffer);
        append(get);
        under_way.push_back({buffer, at, get.bytes});
        at += get.bytes;
        continue;
      }
    }
    const Part part = under_way.front();
    under_way.pop_front();
    await_buffer(part.buffer);
    std::memcpy(dest + part.at, block_.staging[part.buffer], part.bytes);
    give_back(part.buffer);
  }
}

// Blocks for private memory arrive one behind the other.
void RingClient::get_packed(char* dest, const Place& from, ptrdiff_t dest_step, ptrdiff_t from_step,
                            size_t block, size_t count) {
  const size_t each = (block + 7) / 8 * 8, at_once = RingBlock::staging_bytes / each;
  const Waiter waiter(*this, false);
  for (size_t first = 0; first < count; first += at_once) {
    const size_t blocks = std::min(at_once, count - first);
    const int buffer = take_buffer();
    char* staging = block_.staging[buffer];
    for (size_t i = 0; i < blocks; ++i) {
      Command get{get_of(moved(from, static_cast<ptrdiff_t>(first + i) * from_step), block)};
      get.here = offset_in_block(staging + i * each);
      get.pending = counter_of(buffer);
      const Holding lock(lock_);
      append(get);
    }
    await_buffer(buffer);
    for (size_t i = 0; i < blocks; ++i)
      std::memcpy(dest + static_cast<ptrdiff_t>(first + i) * dest_step, staging + i * each, block);
    give_back(buffer);
  }
}

void RingClient::issue_blocks(Request& block, ptrdiff_t step, ptrdiff_t here_step, size_t count, bool later) {
  if (!block.puts() && !later && block.bytes <= RingBlock::staging_bytes)
    return get_packed(block.here, block.place, here_step, step, block.bytes, count);
  for (size_t i = 0; i < count; ++i) {
    issue_one(block, later);
    block.place = moved(block.place, step);
    block.here += here_step;
  }
}

char* RingClient::take_result(size_t bytes) {
  const size_t room = (bytes + 7) / 8 * 8;
  const auto has_room = [&] {
    return results_used_ + room <= sizeof block_.result && results_.size() < most_results;
  };
  wait_holding([&] { return has_room() || collect_results(); }, true, block_.done);
  char* const result = block_.result + results_used_;
  results_used_ += room;
  return result;
}

// All results, of whichever thread, once all of them are here; there are no more than the buffer holds.
bool RingClient::collect_results() {
  if (!is_complete(&block_.counter[RingBlock::results])) return false;
  for (const Result& result : results_) std::memcpy(result.dest, result.from, result.bytes);
  results_.clear();
  results_used_ = 0;
  for (Account& account : accounts_) account.has_results = false;
  return true;
}

bool RingClient::has_results(uint64_t id) const {
  return std::any_of(accounts_.begin(), accounts_.end(),
                     [&](const Account& account) { return account.id == id && account.has_results; });
}

void RingClient::settle(uint64_t id, uint64_t issued) {
  const auto found =
      std::find_if(accounts_.begin(), accounts_.end(), [&](const Account& a) { return a.id == id; });
  if (found == accounts_.end()) return;
  if (issued > found->settled) {
    complete(found->pending, issued - found->settled);
    found->settled = issued;
  }
  if (found->settled == found->issued) accounts_.erase(found);
}

void RingClient::close(uint16_t counter) {
  for (Account& account : accounts_) account.is_closed |= account.counter == counter;
}

// Those of contexts that share a counter, of which none may wait.
void RingClient::settle_closed() {
  std::erase_if(accounts_, [&](const Account& account) {
    const bool is_over =
        account.is_closed && !account.has_results && is_complete(&block_.counter[account.counter]);
    if (is_over) complete(account.pending, account.issued - account.settled);
    return is_over;
  });
}

const RingClient::Account* RingClient::account_before(uint64_t id, const Pending* pending) const {
  for (const Account& account : accounts_) {
    if (account.pending == pending && account.id < id) return &account;
  }
  return nullptr;
}

// Does not wait for what other threads issue from now on, which may have no end.
void RingClient::quiet(Pending* pending) {
  const Holding lock(lock_);
  if (const Account* const open = open_account_of(pending)) close(open->counter);
  const uint64_t end = next_account_;
  while (const Account* const account = account_before(end, pending)) {
    const Account then = *account;
    lock_.unlock();
    await(then.counter, true);
    lock_.lock();
    wait_holding([&] { return !has_results(then.id) || collect_results(); }, true, block_.done);
    settle(then.id, then.issued);
    settle_closed();
  }
}

void RingClient::quiet_all() {
  lock_.lock();
  const std::vector<Account> then = accounts_;
  lock_.unlock();
  for (uint16_t counter = 0; counter < RingBlock::counters; ++counter) await(counter, true);
  const Holding lock(lock_);
  wait_holding([&] { return collect_results(); }, true, block_.done);
  for (const Account& account : then) settle(account.id, account.issued);
}

}  // namespace atrium
