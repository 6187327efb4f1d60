// What the threads of a PE do at the moment, for `oshrun --top`.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "profile/buffer/record_buffer.hpp"

namespace atrium::profile {

struct Activity {
  int threads = 0, calling = 0;  // that are there, and of these in a call
  const Thread* call = nullptr;  // of those the one that is in it for longest; null: all compute
  uint64_t computes_since = 0;   // ticks: when the last call ended
};
Activity activity_of(const Page& page);

// Where several threads call: "; 3 of 4 threads are in calls".
std::string describe_others(const Activity& activity);

}  // namespace atrium::profile
