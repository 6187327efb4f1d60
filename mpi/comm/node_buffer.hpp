// Where the ranks of a node meet: their slots and their data in the node's shared memory (layout in rank_slot.hpp).
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "comm/nodes.hpp"
#include "comm/rank_slot.hpp"
#include "segment/segment.hpp"
#include "wait/wait.hpp"

namespace atrium::mpi {

// A rank's share of the buffers is the same on all nodes, so that all ranks know alike what fits.
struct BufferSize {
  std::size_t share = 0;  // bytes of one rank's part of an area
  int nodes = 1;          // an area to send from and, with other nodes, one to receive into

  std::size_t notices(int ranks) const;
  std::size_t bytes(int ranks) const;
};

class NodeBuffer {
 public:
  // Collective over the node; it is not used before a barrier has followed. The policy outlives it.
  NodeBuffer(Created segment, BufferSize size, const Nodes& nodes, const RankWaitPolicy& policy);

  // A call begins: the halves of this call's parity are mine to write.
  void begin() {
    if (has_left_early_) await_all();  // in the call before
    has_left_early_ = false;
    ++call_;
  }
  // The same for a rank that will write nothing but its arrival.
  void begin_to_read() { ++call_; }
  // This rank's part of the call is over, and it has not seen all others arrive: begin() of the next call waits for them.
  void leave_early() { has_left_early_ = true; }
  // The next step is reached: what I wrote is for all to read.
  void arrive() {
    half(local_).arrived.store(++step_, std::memory_order_release);  // SYNC mpi-arrived
    say_where();
  }
  bool has_arrived(int other) const {
    return half(other).arrived.load(std::memory_order_acquire) >= step_;  // SYNC mpi-arrived
  }
  void await(int other) const { await(other, nullptr, 0); }
  // The same, and what will be read then is fetched along with the arrival.
  void await(int other, const std::byte* next, std::size_t bytes) const {
    if (!has_arrived(other)) wait_for(other, next, bytes);
  }
  void await_all() const;

  CallHeader& header(int other) const { return half(other).header; }
  // The strongest of all headers on the node; all have arrived.
  CallHeader strongest() const;

  // A leader has put down what other nodes sent. Everybody waits for all leaders.
  void deliver(const CallHeader& strongest);
  CallHeader await_leaders(int leaders) const;

  std::byte* share(int other) const { return sending() + other * size_.share; }
  // Where a rank's blocks are if all of them have so many bytes: small ones lie beside its arrival.
  static bool is_small(std::size_t bytes) { return bytes <= sizeof(Half::small); }
  std::byte* place(int other, std::size_t bytes) const {
    return is_small(bytes) ? half(other).small : share(other);
  }
  std::byte* sending() const { return areas_ + parity() * area(); }
  std::byte* receiving() const { return areas_ + (2 + parity()) * area(); }
  std::size_t share_bytes() const { return size_.share; }
  std::size_t area() const { return size_.share * ranks_; }

  // Per node: bytes to it, then bytes from it.
  std::uint64_t* notice(int other) const;

  double* offered(int other) const { return slot(other).offered[parity()]; }
  // Of what all ranks here have offered, the largest of each number. All have arrived.
  void take_largest(double* values, int count) const;
  double* agreed() const { return slot(0).agreed[parity()]; }

  const RankWaitPolicy& wait_policy() const { return wait_policy_; }
  int ranks() const { return ranks_; }
  NodeSegment& segment() { return *segment_; }
  // The same on all ranks of all nodes, and no other's; 0 where it is freed collectively.
  std::uint64_t number() const { return segment_->number(); }

 private:
  RankSlot& slot(int other) const { return reinterpret_cast<RankSlot*>(segment_->base())[other]; }
  Half& half(int other) const { return slot(other).half[parity()]; }
  int parity() const { return static_cast<int>(call_ & 1); }
  bool shares_cpus() const { return wait_policy_.spins == 0; }
  void wait_for(int other, const std::byte* next, std::size_t bytes) const;
  int spins_for(int other) const;
  void say_where();
  bool was_seen_here(int other) const;
  bool holds_up_neighbour() const;

  Created segment_;
  BufferSize size_;
  int ranks_, local_;
  std::byte* notices_;
  std::byte* areas_;
  std::uint64_t call_ = 0, step_ = 0;
  bool has_left_early_ = false;
  const RankWaitPolicy& wait_policy_;
};

}  // namespace atrium::mpi
