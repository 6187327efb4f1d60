// The slow stages of a wait: giving the CPU away, then sleeping.
// SPDX-License-Identifier: BSD-3-Clause
#include "wait/wait.hpp"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <string>

#include "core/log.hpp"

namespace atrium {
namespace {
LongWaits watcher;
}
namespace detail {
Meanwhile meanwhile;
}
void set_meanwhile(const Meanwhile& what) { detail::meanwhile = what; }
void watch_long_waits(const LongWaits& who) { watcher = who; }
}  // namespace atrium

namespace atrium::detail {
namespace {

using Clock = std::chrono::steady_clock;

// True once ready; false when it is time to sleep.
bool yield_until(bool (*ready)(void*), void* subject) {
  const WaitPolicy& policy = wait_policy();
  auto end = Clock::now() + std::chrono::microseconds(policy.yield_us);
  for (uint32_t yields = policy.yields; yields > 0 || !policy.blocks; --yields) {
    sched_yield();
    if (ready(subject)) return true;
    // Who is somebody's busy target stays awake: it answers in a fifth of the time that its thread needs.
    if (meanwhile.look && meanwhile.look()) end = Clock::now() + std::chrono::microseconds(policy.yield_us);
    if (policy.blocks && policy.yield_us != UINT32_MAX && Clock::now() >= end) return false;
  }
  return false;
}

// Says what this thread waits for when it has waited long, then when it has waited twice as long, and so on.
class WaitNote {
 public:
  WaitNote(const WaitReason& reason, uint32_t after_s)
      : reason_(reason), after_(after_s), since_(Clock::now()) {}
  void look_at_the_clock() {
    if (after_.count() == 0) return;
    const auto lasted = Clock::now() - since_;
    if (lasted < after_) return;
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(lasted).count();
    note("has waited " + std::to_string(seconds) + " s for " + name_of(reason_.kind) +
         describe_words(reason_));
    after_ *= 2;
  }

 private:
  const WaitReason& reason_;
  std::chrono::seconds after_;
  Clock::time_point since_;
};

// Lets the watcher know of a wait once it has lasted, and when it is over.
class LongWait {
 public:
  explicit LongWait(const WaitReason& reason) : reason_(reason) {}
  ~LongWait() {
    if (told_) watcher.forget();
  }
  LongWait(const LongWait&) = delete;
  LongWait& operator=(const LongWait&) = delete;

  void look_at_the_clock() {
    if (due_ == Clock::time_point::max() || Clock::now() < due_) return;
    const auto since = std::chrono::duration_cast<std::chrono::nanoseconds>(since_.time_since_epoch());
    told_ = watcher.tell(reason_, static_cast<uint64_t>(since.count()));
    // Refused while another thread's wait is told, which may be over before this one.
    due_ = told_ ? Clock::time_point::max() : Clock::now() + std::chrono::seconds(1);
  }

 private:
  const WaitReason& reason_;
  Clock::time_point since_ = Clock::now();
  Clock::time_point due_ = watcher.tell ? since_ + std::chrono::seconds(1) : Clock::time_point::max();
  bool told_ = false;
};

// True once ready; false when the network has become busy meanwhile.
bool sleep_until(const WaitReason& reason, bool (*ready)(void*), void* subject) {
  const WaitPolicy& policy = wait_policy();
  WaitNote note(reason, policy.note_after_s);
  LongWait long_wait(reason);
  uint32_t nap_us = policy.first_nap_us;
  if (meanwhile.before_sleep) meanwhile.before_sleep();
  bool is_ready = true;
  while (!nap(reason, ready, subject, nap_us)) {
    if (meanwhile.look && meanwhile.look()) {
      is_ready = false;
      break;
    }
    nap_us = std::min(2 * nap_us, policy.last_nap_us);
    note.look_at_the_clock();
    long_wait.look_at_the_clock();
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
  if (++looks % looks_per_turn == 0) yield();
}

void wait_patiently(const WaitReason& reason, bool (*ready)(void*), void* subject) {
  while (!yield_until(ready, subject)) {
    if (sleep_until(reason, ready, subject)) return;
  }
}

}  // namespace atrium::detail
