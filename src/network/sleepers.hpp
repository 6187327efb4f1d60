// Threads that wait for the network and sleep: one of them on the engine's descriptor, the others until they are called.
// SPDX-License-Identifier: BSD-3-Clause
//
// The first thread that polls takes what has come, and then the descriptor wakes no other thread. So that thread finds the sleepers
// for which it was, and wakes them. A thread that stops sleeping on the descriptor wakes another one to take its place.
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
    bool (*is_ready)(void* subject);  // called by other threads meanwhile, with the lock held
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
  // Wakes those that wait for what has come.
  void call_ready();
  // Wakes a sleeper to take the descriptor, if no thread sleeps on it: the caller will not come back.
  void call_successor();

 private:
  void call(Sleeper& sleeper);
  void await_descriptor(int descriptor, int longest_ms);

  std::vector<Sleeper*> asleep_;  // the first one for longest
  Sleeper* at_descriptor_ = nullptr;
  int bell_ = -1;  // calls that one
};

}  // namespace atrium
