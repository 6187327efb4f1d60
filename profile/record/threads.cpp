// The places of this PE's threads in its page.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <utility>

#include "profile/record/recorder.hpp"

namespace atrium::profile {

constinit thread_local Thread* thread_here = nullptr;

namespace {

thread_local Thread elsewhere [[gnu::tls_model("initial-exec")]];  // where the page has no room

// Lives as long as its thread.
struct Leaver {
  ~Leaver() { leave_page(); }
};

bool take(Thread& thread, uint64_t ticks) {
  uint64_t free = 0;
  return thread.came.load(std::memory_order_relaxed) == 0 &&
         thread.came.compare_exchange_strong(free, recorded_ticks(*recorder.page, ticks) + 1,
                                             std::memory_order_acquire);  // SYNC thread-place
}

Thread& find_place(uint64_t ticks) {
  for (Thread& thread : recorder.page->thread)
    if (take(thread, ticks)) return thread;
  recorder.page->lost_threads.add(1, true);
  return elsewhere;
}

Thread& enter_page() {
  static thread_local Leaver leaver;
  (void)leaver;
  const uint64_t ticks = now();
  thread_here = &find_place(ticks);
  thread_here->since = ticks;
  return *thread_here;
}

}  // namespace

// Where only one calls at a time, all are one.
Thread& find_thread() {
  return recorder.shared || recorder.page->thread[0].came == 0 ? enter_page() : recorder.page->thread[0];
}

unsigned number_of(const Thread& thread) {
  const auto from = reinterpret_cast<uintptr_t>(&thread) - reinterpret_cast<uintptr_t>(recorder.page->thread);
  return static_cast<unsigned>(std::min(from / sizeof(Thread), most_threads));
}

// One that is there when the PE comes to its end has stayed until then; one that is in a call ends its process.
void leave_page() {
  if (!thread_here) return;
  Thread& thread = *std::exchange(thread_here, nullptr);
  if (!present || &thread == &elsewhere || thread.doing != 0) return;
  thread.regions = 0;
  thread.stayed.add(recorded_ticks(*recorder.page, now()) + 1 - thread.came, false);
  thread.came.store(0, std::memory_order_release);  // SYNC thread-place
}

}  // namespace atrium::profile
