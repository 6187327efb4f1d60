// Merging clocks.
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

void Clock::admit(Arrival arrival) {
  if (knows(arrival.lane, arrival.tick)) return;
  if (arrival.before > tick[arrival.lane]) {
    arrivals[arrivals_count < most_arrivals ? arrivals_count++ : oldest++ % most_arrivals] = arrival;
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
  oldest = other.oldest;
  std::copy_n(other.arrivals, arrivals_count, arrivals);
}

}  // namespace atrium::race
