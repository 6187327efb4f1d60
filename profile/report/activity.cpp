// Reads the threads' places; while they write, what is read may be a moment old.
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/report/activity.hpp"

#include <algorithm>

namespace atrium::profile {

Activity activity_of(const Page& page) {
  Activity activity;
  for (const Thread& thread : page.thread) {
    if (thread.came == 0) continue;
    ++activity.threads;
    const uint32_t doing = thread.doing.load(std::memory_order_acquire);  // SYNC call-under-way
    const uint64_t since = thread.since;
    activity.computes_since = std::max(activity.computes_since, since);
    if (doing == 0 || doing > most_lines) continue;
    ++activity.calling;
    if (!activity.call || since < activity.call->since) activity.call = &thread;
  }
  return activity;
}

std::string describe_others(const Activity& activity) {
  if (activity.threads < 2) return {};
  return "; " + std::to_string(activity.calling) + " of " + std::to_string(activity.threads) +
         (activity.calling == 1 ? " threads is in a call" : " threads are in calls");
}

}  // namespace atrium::profile
