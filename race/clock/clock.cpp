// Compares and merges vector clocks, and admits operations that arrive before their predecessors.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/clock/clock.hpp"

#include <algorithm>
#include <cstring>

namespace atrium::race {

bool Clock::knows(Lane lane, Tick when) const {
  if (when <= tick[lane]) return true;
  for (uint32_t i = 0; i < arrivals_count; ++i)
    if (arrivals[i].lane == lane && arrivals[i].tick == when) return true;
  return false;
}

void Clock::absorb() {
  for (uint32_t i = 0; i < arrivals_count;) {
    const Arrival arrival = arrivals[i];
    if (arrival.before > tick[arrival.lane]) {
      ++i;
      continue;
    }
    tick[arrival.lane] = std::max(tick[arrival.lane], arrival.tick);
    arrivals[i] = arrivals[--arrivals_count];
    i = 0;
  }
}

Arrival& Clock::least_needed(Lane lane) {
  uint32_t count[most_arrivals] = {};
  Arrival* oldest = nullptr;
  for (Arrival& one : arrivals)
    if (one.lane == lane && (!oldest || one.tick < oldest->tick)) oldest = &one;
  if (oldest) return *oldest;
  uint32_t fullest = 0;
  for (uint32_t i = 0; i < most_arrivals; ++i) {
    for (const Arrival& one : arrivals) count[i] += one.lane == arrivals[i].lane;
    if (count[i] > count[fullest]) fullest = i;
  }
  oldest = &arrivals[fullest];
  for (Arrival& one : arrivals)
    if (one.lane == oldest->lane && one.tick < oldest->tick) oldest = &one;
  return *oldest;
}

void Clock::admit(Arrival arrival) {
  if (knows(arrival.lane, arrival.tick)) return;
  if (arrival.before > tick[arrival.lane]) {
    (arrivals_count < most_arrivals ? arrivals[arrivals_count++] : least_needed(arrival.lane)) = arrival;
    return;
  }
  tick[arrival.lane] = arrival.tick;
  if (arrivals_count != 0) absorb();
}

void Clock::merge(const Clock& other, uint32_t lanes) {
  for (uint32_t l = 0; l < lanes; ++l) tick[l] = std::max(tick[l], other.tick[l]);
  if (arrivals_count != 0) absorb();
  for (uint32_t i = 0; i < other.arrivals_count; ++i) admit(other.arrivals[i]);
}

void Clock::copy(const Clock& other, uint32_t lanes) {
  std::memcpy(tick, other.tick, lanes * sizeof(Tick));
  arrivals_count = other.arrivals_count;
  std::copy_n(other.arrivals, arrivals_count, arrivals);
}

}  // namespace atrium::race
