// The slow stages of a wait: giving the CPU away, then sleeping.
// SPDX-License-Identifier: BSD-3-Clause
#include "ordering/wait.hpp"

#include <sched.h>

#include <algorithm>
#include <chrono>

namespace atrium::detail {
namespace {

using Clock = std::chrono::steady_clock;

// True once ready; false when it is time to sleep.
bool yield_until(bool (*ready)(void*), void* subject) {
  const WaitPolicy& policy = wait_policy();
  const auto end = Clock::now() + std::chrono::microseconds(policy.yield_us);
  for (uint32_t yields = policy.yields; yields > 0 || !policy.blocks; --yields) {
    sched_yield();
    if (ready(subject)) return true;
    if (policy.blocks && policy.yield_us != UINT32_MAX && Clock::now() >= end) return false;
  }
  return false;
}

void sleep_until(const WaitReason& reason, bool (*ready)(void*), void* subject) {
  const WaitPolicy& policy = wait_policy();
  uint32_t nap_us = policy.first_nap_us;
  while (!nap(reason, ready, subject, nap_us)) nap_us = std::min(2 * nap_us, policy.last_nap_us);
  forget_wait();
}

}  // namespace

void wait_patiently(const WaitReason& reason, bool (*ready)(void*), void* subject) {
  if (!yield_until(ready, subject)) sleep_until(reason, ready, subject);
}

}  // namespace atrium::detail
