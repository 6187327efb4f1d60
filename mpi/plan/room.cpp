// Layout of a room, arrivals and deliveries.
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/room.hpp"

#include <sched.h>

#include <algorithm>
#include <new>

namespace atrium::mpi {
namespace {

std::size_t whole_pages(std::size_t bytes) { return (bytes + 4095) & ~std::size_t{4095}; }

constexpr std::size_t most_fetched = 512;

std::size_t seats_bytes(int ranks) { return whole_pages(ranks * sizeof(Seat)); }

}  // namespace

std::size_t RoomSize::notices(int ranks) const {
  return nodes == 1 ? 0 : whole_pages(std::size_t{4} * ranks * nodes * sizeof(std::uint64_t));
}

std::size_t RoomSize::bytes(int ranks) const {
  return seats_bytes(ranks) + notices(ranks) + (nodes == 1 ? 2 : 4) * share * ranks;
}

Room::Room(Created segment, RoomSize size, const Nodes& nodes, const Patience& patience)
    : segment_(std::move(segment)),
      size_(size),
      ranks_(nodes.here().size()),
      local_(nodes.local),
      notices_(segment_->base() + seats_bytes(ranks_)),
      areas_(notices_ + size.notices(ranks_)),
      patience_(patience) {
  new (&seat(local_)) Seat{};  // also the first touch of this rank's page
}

void Room::say_where() {
  std::atomic<int>& cpu = seat(local_).cpu;
  if (const int here = sched_getcpu(); here != cpu.load(std::memory_order_relaxed))
    cpu.store(here, std::memory_order_relaxed);
}

// A rank that has not arrived can do so only when this one gives up the processor.
bool Room::holds_up_neighbour() const {
  const int here = seat(local_).cpu.load(std::memory_order_relaxed);
  for (int other = 0; other < ranks_; ++other)
    if (seat(other).cpu.load(std::memory_order_relaxed) == here && !has_arrived(other)) return true;
  return false;
}

// Asks for the data with every look: where it has been written by then, it comes at the same time as the
// arrival, not one cache miss later. A longer row the processor follows by itself.
void Room::wait_for(int other, const std::byte* next, std::size_t bytes) const {
  const bool at_once = shares_cpus() && holds_up_neighbour();
  const std::byte* end = next + (bytes <= most_fetched ? bytes : 0);
  wait_until(patience_, at_once ? 0 : patience_.spins_elsewhere, [&] {
    for (const std::byte* line = next; line < end; line += 64) __builtin_prefetch(line);
    return has_arrived(other);
  });
}

void Room::await_all() const {
  for (int turn = 1; turn < ranks_; ++turn) await((local_ + turn) % ranks_);
}

Card stronger(const Card& a, const Card& b) {
  return {std::max(a.verdict, b.verdict), std::max(a.need, b.need), std::max(a.widest, b.widest)};
}

Card Room::strongest() const {
  Card strongest{};
  for (int other = 0; other < ranks_; ++other) strongest = stronger(strongest, card(other));
  return strongest;
}

void Room::deliver(const Card& heard) {
  Seat& mine = seat(local_);
  mine.heard[parity()] = heard;
  mine.delivered.store(call_, std::memory_order_release);  // SYNC mpi-delivered
}

Card Room::await_leaders(int leaders) const {
  Card heard{};
  for (int leader = 0; leader < leaders; ++leader) {
    const std::atomic<std::uint64_t>& delivered = seat(leader).delivered;
    wait_until(patience_,
               [&] { return delivered.load(std::memory_order_acquire) >= call_; });  // SYNC mpi-delivered
    heard = stronger(heard, seat(leader).heard[parity()]);
  }
  return heard;
}

std::uint64_t* Room::notice(int other) const {
  const std::size_t row = (static_cast<std::size_t>(parity()) * ranks_ + other) * 2 * size_.nodes;
  return reinterpret_cast<std::uint64_t*>(notices_) + row;
}

}  // namespace atrium::mpi
