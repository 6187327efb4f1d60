// The slow stages of a wait: giving the CPU away, then sleeping.
// SPDX-License-Identifier: BSD-3-Clause
#include "wait/wait.hpp"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <string>

#include "core/log.hpp"
#include "core/per_pe.hpp"
#include "os/clock.hpp"
#include "wait/yields.hpp"

namespace atrium {
namespace {
LongWaits watcher;
}
namespace detail {
ATRIUM_PER_PE Meanwhile meanwhile;
void (*polling_watcher)() = nullptr;
void report_polling() {
  if (polling_watcher) polling_watcher();
}
}  // namespace detail
void set_meanwhile(const Meanwhile& what) { detail::meanwhile = what; }
void watch_polling(void (*who)()) { detail::polling_watcher = who; }
void watch_long_waits(const LongWaits& who) { watcher = who; }
}  // namespace atrium

namespace atrium::detail {
namespace {

using Clock = std::chrono::steady_clock;

// Says what this thread waits for when it has waited long, then when it has waited twice as long, and so on.
class WaitNote {
 public:
  explicit WaitNote(const WaitReason& reason) : reason_(reason), after_s_(wait_policy().note_after_s) {}
  void has_lasted(uint64_t ns) {
    const uint64_t seconds = ns / 1'000'000'000;
    if (after_s_ == 0 || seconds < after_s_) return;
    note("has waited " + std::to_string(seconds) + " s for " + name_of(reason_.kind) +
         describe_words(reason_));
    after_s_ *= 2;
  }

 private:
  const WaitReason& reason_;
  uint64_t after_s_;  // 0: never
};

// Lets the user and the watcher know of a wait once it has lasted, and the watcher when it is over.
class LastingWait {
 public:
  explicit LastingWait(const WaitReason& reason) : note_(reason), wait_{reason} {}
  ~LastingWait() {
    if (begun_ && watcher.end) watcher.end(wait_);
  }
  LastingWait(const LastingWait&) = delete;
  LastingWait& operator=(const LastingWait&) = delete;

  void looked_in_vain() {
    const uint64_t now = now_ns();
    if (wait_.since_ns == 0) wait_.since_ns = now;
    note_.has_lasted(now - wait_.since_ns);
    if (!watcher.begin) return;
    if (begun_) return watcher.looked(wait_);
    if (now - wait_.since_ns < long_ns) return;
    begun_ = true;
    watcher.begin(wait_);
  }

 private:
  static constexpr uint64_t long_ns = 1'000'000'000;
  WaitNote note_;
  LongWait wait_;
  bool begun_ = false;
};

// Whether anything has come. A look costs as much as a turn of another PE; so who waits for a PE of its own node looks
// only now and then, unless others are busy with it.
bool look_away(const WaitReason& reason) {
  constexpr uint32_t seldom = 8;
  static thread_local uint32_t interval = 1, waits = 0;
  if (!meanwhile.look || (reason.ends_here && ++waits < interval)) return false;
  waits = 0;
  const bool came = meanwhile.look();
  interval = came ? 1 : std::min(2 * interval, seldom);
  return came;
}

// True once ready; false when it is time to sleep.
bool yield_until(const WaitReason& reason, bool (*ready)(void*), void* subject, LastingWait& lasting,
                 Yields& given) {
  constexpr uint32_t yields_per_report = 32;  // each may last a time slice
  const WaitPolicy& policy = wait_policy();
  auto end = Clock::now() + std::chrono::microseconds(policy.yield_us);
  for (uint32_t yields = yields_now(); yields > 0 || !policy.blocks; --yields) {
    given.yield();
    if (ready(subject) || spin_and_look([&] { return ready(subject); }, policy.spins_between)) return true;
    // A PE that others send operations to stays awake: it answers in a fifth of the time that its thread needs.
    if (look_away(reason)) end = Clock::now() + std::chrono::microseconds(policy.yield_us);
    if (policy.blocks && policy.yield_us != UINT32_MAX && Clock::now() >= end) return false;
    if (yields % yields_per_report == 0) lasting.looked_in_vain();
  }
  return false;
}

// True once ready; false when the network has become busy meanwhile.
bool sleep_until(const WaitReason& reason, bool (*ready)(void*), void* subject, LastingWait& lasting) {
  const WaitPolicy& policy = wait_policy();
  uint32_t nap_us = policy.first_nap_us;
  if (meanwhile.before_sleep) meanwhile.before_sleep();
  bool is_ready = true;
  while (!nap(reason, ready, subject, nap_us)) {
    if (meanwhile.look && meanwhile.look()) {
      is_ready = false;
      break;
    }
    nap_us = std::min(2 * nap_us, policy.last_nap_us);
    lasting.looked_in_vain();
  }
  return is_ready;
}

}  // namespace

void yield() { sched_yield(); }

// A yield that lets another PE have its turn costs 2 to 15 us, some hundred looks at memory. So this does not
// cost a program that only fetches much more than its fetches, and ends the turn of one that polls after
// microseconds instead of milliseconds. (8 PEs on 2 CPUs: a fetch costs 240 ns with a yield every 64 looks.)
void yield_sometimes() {
  constexpr unsigned looks_per_turn = 256;
  static thread_local unsigned looks = 0;
  if (++looks % looks_per_turn != 0) return;
  tested_in_vain();
  yield();
}

void wait_patiently(const WaitReason& reason, bool (*ready)(void*), void* subject) {
  LastingWait lasting(reason);
  Yields yields;
  while (!yield_until(reason, ready, subject, lasting, yields)) {
    yields.pause();
    if (sleep_until(reason, ready, subject, lasting)) return;
  }
}

}  // namespace atrium::detail
