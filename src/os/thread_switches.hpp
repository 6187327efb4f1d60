// How often the kernel has let another thread run though this one wanted to go on: preempted, or in a sched_yield.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/resource.h>

#include <cstdint>

namespace atrium {

// How often the calling thread has been switched since it began, at the cost of a quarter of a microsecond. Always 0 where
// the kernel does not count.
inline uint64_t involuntary_switches() {
  rusage usage{};
  if (getrusage(RUSAGE_THREAD, &usage) != 0) return 0;
  return static_cast<uint64_t>(usage.ru_nivcsw);
}

}  // namespace atrium
