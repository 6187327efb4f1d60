// What is known to have happened: an entry for each lane, and operations that arrived before their predecessors.
// SPDX-License-Identifier: BSD-3-Clause
//
// A *lane* is a sequence of accesses in which time goes only forward. Each strand (a thread, or an OpenMP section or
// task) has a lane T for what is complete when it returns; and for each context and target one lane O for operations
// that complete later. A *tick* is a moment of a strand; both its T and its O lanes count in the strand's ticks.
//
// Invariants:
//   Entry `tick[l] = k` means: all accesses of lane l with ticks up to k happened before.
//   A strand's own entry is its current tick. It moves on after each release, fence and quiet, so that what comes
//   later has a larger tick than what was released, fenced or completed.
//   An arrival {lane, k, before} means: the operation of tick k happened before, but nothing is known of those of that
//   lane between `before` and k. As soon as tick[lane] >= before it is absorbed: tick[lane] = k.
//   When all places are taken the oldest arrival of the new one's lane is forgotten, else that of the lane that has most: a
//   false race may then be reported, if a program relies on 40 arrivals that are out of order.
#pragma once

#include <cstdint>

namespace atrium::race {

using Lane = uint16_t;
using Tick = uint32_t;

inline constexpr uint32_t most_lanes = 16384;

struct ArrivedTick {
  Tick tick, before;
  Lane lane;
};

// Lies in shared memory, and in private memory; only the first pages of `tick` are ever touched.
struct VectorClock {
  static constexpr uint32_t most_arrivals = 40;

  uint32_t arrivals_count;
  ArrivedTick arrivals[most_arrivals];
  Tick tick[most_lanes];

  bool knows(Lane lane, Tick when) const;
  void admit(ArrivedTick arrival);
  void absorb();  // arrivals whose predecessors are known by now
  ArrivedTick& least_needed(Lane lane);
  void merge(const VectorClock& other, uint32_t lanes);
  void copy(const VectorClock& other, uint32_t lanes);
};

}  // namespace atrium::race
