// The clock of all records: the processor's counter where Linux itself counts time by it, else CLOCK_MONOTONIC. Either runs
// alike on all processors of a node.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "atrium_machine.h"
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace atrium::profile {

enum class TickSource : uint32_t { monotonic, counter };

// What this machine can have.
TickSource best_tick_source();

inline uint64_t read_ticks(TickSource source) {
#if defined(__x86_64__)
  if (source == TickSource::counter) return __rdtsc();
#elif defined(__aarch64__)
  if (source == TickSource::counter) {
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
  }
#endif
  (void)source;
  return atrium_now_ns();
}

// The same moment on both clocks.
struct Moment {
  uint64_t ticks, ns;
};
Moment moment_now(TickSource source);

// From ticks to nanoseconds, by two moments far apart.
class Scale {
 public:
  Scale() = default;
  Scale(const Moment& first, const Moment& second);
  double ns(uint64_t ticks) const { return static_cast<double>(ticks) * ns_per_tick_; }
  double seconds(uint64_t ticks) const { return ns(ticks) * 1e-9; }

 private:
  double ns_per_tick_ = 1;
};

}  // namespace atrium::profile
