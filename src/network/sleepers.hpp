// Threads that wait for the network and sleep: one of them on the engine's descriptor, the others until they are called.
// SPDX-License-Identifier: BSD-3-Clause
//
// What has come is taken off the descriptor by whoever looks first, and then the descriptor wakes nobody. So who takes it looks
// for whom it was, and calls those; and who sleeps on the descriptor and need not any more calls another one to do so.
// Thread safety: the progress lock is held in all calls; it is free while a thread sleeps.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "network/progress_lock.hpp"

namespace atrium {

class Sleepers {
 public:
  struct Sleeper {
    bool (*is_ready)(void* subject);  // called by others meanwhile; with the lock held
    void* subject;
    std::atomic<uint32_t> called{0};
  };

  Sleepers() = default;
  ~Sleepers();
  Sleepers(const Sleepers&) = delete;
  Sleepers& operator=(const Sleepers&) = delete;

  bool is_empty() const { return asleep_.empty(); }
  // `descriptor` may be negative: there is none.
  void sleep(Sleeper& me, ProgressLock& lock, int descriptor, int longest_ms);
  // Those that wait for what has come.
  void call_ready();
  // Somebody to the descriptor, if nobody is there: I shall not come back.
  void call_successor();

 private:
  void call(Sleeper& sleeper);
  void await_descriptor(int descriptor, int longest_ms);

  std::vector<Sleeper*> asleep_;  // the first one for longest
  Sleeper* at_descriptor_ = nullptr;
  int bell_ = -1;  // calls that one
};

}  // namespace atrium
