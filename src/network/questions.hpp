// Who wants answers: the threads of a client that wait, as its owner sees them.
// SPDX-License-Identifier: BSD-3-Clause
//
// Acknowledgements are lazy unless somebody asks (wire/channel.hpp). While a thread waits the owner asks about all that
// it executes; so a wait for what was executed before says that it has begun.
//
// Invariants. Who sees a command that a waiting thread has written, or that it has asked, sees that it waits.
#pragma once

#include <atomic>
#include <cstdint>

namespace atrium {

class Questions {
 public:
  void begin_wait() { waiters_.fetch_add(1, std::memory_order_relaxed); }
  void end_wait() { waiters_.fetch_sub(1, std::memory_order_relaxed); }
  void ask() { asked_.fetch_add(1, std::memory_order_release); }  // SYNC question

  uint32_t asked() const { return asked_.load(std::memory_order_acquire); }  // SYNC question
  bool somebody_waits() const { return waiters_.load(std::memory_order_relaxed) != 0; }

 private:
  std::atomic<uint32_t> waiters_{0}, asked_{0};
};

}  // namespace atrium
