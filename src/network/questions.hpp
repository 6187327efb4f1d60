// Which threads of a client wait for answers, as its owner sees it.
// SPDX-License-Identifier: BSD-3-Clause
//
// Acknowledgements are delayed unless they are asked for (wire/channel.hpp). While a thread of the client waits, the owner asks for
// those of all commands that it executes. A wait for commands that were executed earlier announces that it has begun.
//
// Invariants. An owner that sees a command or a question of a waiting thread also sees that it waits.
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
