// Lays out the buffer that the ranks of a node share, and handles arrivals and deliveries in it.
// SPDX-License-Identifier: BSD-3-Clause
#include "comm/node_buffer.hpp"

#include <sched.h>

#include <algorithm>
#include <new>

namespace atrium::mpi {
namespace {

constexpr std::size_t most_fetched = 512;

std::size_t slots_bytes(int ranks) { return whole_pages(ranks * sizeof(RankSlot)); }

}  // namespace

std::size_t BufferSize::notices(int ranks) const {
  return nodes == 1 ? 0 : whole_pages(std::size_t{4} * ranks * nodes * sizeof(std::uint64_t));
}

std::size_t BufferSize::bytes(int ranks) const {
  return slots_bytes(ranks) + notices(ranks) + (nodes == 1 ? 2 : 4) * share * ranks;
}

NodeBuffer::NodeBuffer(Created segment, BufferSize size, const Nodes& nodes, const RankWaitPolicy& policy)
    : segment_(std::move(segment)),
      size_(size),
      ranks_(nodes.here().size()),
      local_(nodes.local),
      notices_(segment_->base() + slots_bytes(ranks_)),
      areas_(notices_ + size.notices(ranks_)),
      wait_policy_(policy) {
  new (&slot(local_)) RankSlot{};  // also the first touch of this rank's page
}

void NodeBuffer::say_where() {
  std::atomic<int>& cpu = slot(local_).cpu;
  if (const int here = sched_getcpu(); here != cpu.load(std::memory_order_relaxed))
    cpu.store(here, std::memory_order_relaxed);
}

bool NodeBuffer::was_seen_here(int other) const {
  return slot(other).cpu.load(std::memory_order_relaxed) == slot(local_).cpu.load(std::memory_order_relaxed);
}

// A rank that has not arrived can do so only when this one gives up the processor.
bool NodeBuffer::holds_up_neighbour() const {
  for (int other = 0; other < ranks_; ++other)
    if (was_seen_here(other) && !has_arrived(other)) return true;
  return false;
}

// Spinning is in vain while a rank that is waited for wants this processor. That happens to ranks that have one each as
// well, when other programs run beside them: there only the one that is waited for is looked at.
int NodeBuffer::spins_for(int other) const {
  if (shares_cpus()) return holds_up_neighbour() ? 0 : wait_policy_.spins_elsewhere;
  return was_seen_here(other) ? 0 : wait_policy_.spins;
}

// Asks for the data with every look: where it has been written by then, it comes at the same time as the
// arrival, not one cache miss later. A longer row the processor follows by itself.
void NodeBuffer::wait_for(int other, const std::byte* next, std::size_t bytes) const {
  const std::byte* end = next + (bytes <= most_fetched ? bytes : 0);
  wait_until(wait_policy_, spins_for(other), [&] {
    for (const std::byte* line = next; line < end; line += 64) __builtin_prefetch(line);
    return has_arrived(other);
  });
}

void NodeBuffer::await_all() const {
  for (int turn = 1; turn < ranks_; ++turn) await((local_ + turn) % ranks_);
}

CallHeader NodeBuffer::strongest() const {
  CallHeader strongest{};
  for (int other = 0; other < ranks_; ++other) strongest = stronger(strongest, header(other));
  if (!is_known(strongest.verdict))
    strongest.verdict = CallVerdict::fallback;  // memory that was written over
  return strongest;
}

void NodeBuffer::take_largest(double* values, int count) const {
  std::copy_n(offered(0), count, values);
  for (int other = 1; other < ranks_; ++other)
    for (int item = 0; item < count; ++item) values[item] = std::max(values[item], offered(other)[item]);
}

void NodeBuffer::deliver(const CallHeader& strongest) {
  RankSlot& mine = slot(local_);
  mine.strongest[parity()] = strongest;
  mine.delivered.store(call_, std::memory_order_release);  // SYNC mpi-delivered
}

CallHeader NodeBuffer::await_leaders(int leaders) const {
  CallHeader strongest{};
  for (int leader = 0; leader < leaders; ++leader) {
    const std::atomic<std::uint64_t>& delivered = slot(leader).delivered;
    wait_until(wait_policy_, was_seen_here(leader) ? 0 : wait_policy_.spins,
               [&] { return delivered.load(std::memory_order_acquire) >= call_; });  // SYNC mpi-delivered
    strongest = stronger(strongest, slot(leader).strongest[parity()]);
  }
  return strongest;
}

std::uint64_t* NodeBuffer::notice(int other) const {
  const std::size_t row = (static_cast<std::size_t>(parity()) * ranks_ + other) * 2 * size_.nodes;
  return reinterpret_cast<std::uint64_t*>(notices_) + row;
}

}  // namespace atrium::mpi
