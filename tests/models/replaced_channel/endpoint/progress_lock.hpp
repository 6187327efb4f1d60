// Stands in front of src/endpoint/progress_lock.hpp when a model is compiled: two steps, one to take it and one to give it
// back. The real one has a model of its own. It also says whether another thread has changed something, which is when a
// thread that waits has to look again.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>

namespace atrium {

class ProgressLock {
 public:
  void lock(int = 0) { word_.object.lock(std::source_location::current()); }
  bool try_lock() { return lock(), true; }
  void unlock() {
    uint64_t& mine = known_[model::this_thread()];
    const bool is_new = has_changed_ || announces[model::this_thread()];
    if (is_new && mine == version_) ++mine;
    if (is_new) ++version_;
    has_changed_ = false;
    word_.store(2 * version_, std::memory_order_release);
  }

  // By the holder: something is different now, for those who wait.
  void change() { has_changed_ = true; }
  // By the holder: has looked at everything that there is.
  void know() { known_[model::this_thread()] = version_; }
  // Only loads: a wait's condition.
  bool has_news() {
    return word_.object.look(std::source_location::current()) / 2 != known_[model::this_thread()];
  }
  bool announces[8] = {};  // the thread's operations are news to the others

 private:
  std::atomic<uint64_t> word_{0};  // lowest bit: held; the others: version_
  uint64_t version_ = 0, known_[8] = {};
  bool has_changed_ = false;
};

}  // namespace atrium
