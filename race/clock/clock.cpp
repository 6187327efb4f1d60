// Compares and merges vector clocks, and admits operations that arrive before their predecessors.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/clock/clock.hpp"

#include <algorithm>
#include <cstring>

namespace atrium::race {

bool VectorClock::knows(Lane lane, Tick when) const {
  if (when <= tick[lane]) return true;
  for (uint32_t i = 0; i < arrivals_count; ++i)
    if (arrivals[i].lane == lane && arrivals[i].tick == when) return true;
  return false;
}

void VectorClock::absorb() {
  for (uint32_t i = 0; i < arrivals_count;) {
    const ArrivedTick arrival = arrivals[i];
    if (arrival.before > tick[arrival.lane]) {
      ++i;
      continue;
    }
    tick[arrival.lane] = std::max(tick[arrival.lane], arrival.tick);
    arrivals[i] = arrivals[--arrivals_count];
    i = 0;
  }
}

ArrivedTick& VectorClock::least_needed(Lane lane) {
  uint32_t count[most_arrivals] = {};
  ArrivedTick* oldest = nullptr;
  for (ArrivedTick& one : arrivals)
    if (one.lane == lane && (!oldest || one.tick < oldest->tick)) oldest = &one;
  if (oldest) return *oldest;
  uint32_t fullest = 0;
  for (uint32_t i = 0; i < most_arrivals; ++i) {
    for (const ArrivedTick& one : arrivals) count[i] += one.lane == arrivals[i].lane;
    if (count[i] > count[fullest]) fullest = i;
  }
  oldest = &arrivals[fullest];
  for (ArrivedTick& one : arrivals)
    if (one.lane == oldest->lane && one.tick < oldest->tick) oldest = &one;
  return *oldest;
}

void VectorClock::admit(ArrivedTick arrival) {
  if (knows(arrival.lane, arrival.tick)) return;
  if (arrival.before > tick[arrival.lane]) {
    (arrivals_count < most_arrivals ? arrivals[arrivals_count++] : least_needed(arrival.lane)) = arrival;
    return;
  }
  tick[arrival.lane] = arrival.tick;
  if (arrivals_count != 0) absorb();
}

void VectorClock::merge(const VectorClock& other, uint32_t lanes) {
  for (uint32_t l = 0; l < lanes; ++l) tick[l] = std::max(tick[l], other.tick[l]);
  if (arrivals_count != 0) absorb();
  for (uint32_t i = 0; i < other.arrivals_count; ++i) admit(other.arrivals[i]);
}

void VectorClock::copy(const VectorClock& other, uint32_t lanes) {
  std::memcpy(tick, other.tick, lanes * sizeof(Tick));
  arrivals_count = other.arrivals_count;
  std::copy_n(other.arrivals, arrivals_count, arrivals);
}

}  // namespace atrium::race
