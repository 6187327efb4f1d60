// Turns of an entry in a collective: its owner fills it, the others read it, and it is filled again when all have left.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>

namespace atrium::race {

inline constexpr uint64_t meeting_depth =
    2;  // how many collectives may be under way: so many entries has each member

// Lies in shared memory; zero is an unused one. Collectives of a group are numbered by ones.
class Turn {
 public:
  // A PE that finds it entered also sees what the owner wrote before.
  void enter(uint64_t number) { entered_.store(number, std::memory_order_release); }  // SYNC race-entered
  bool is_entered(uint64_t number) const {
    return entered_.load(std::memory_order_acquire) == number;
  }  // SYNC race-entered

  // The owner has read what it wanted of the others' entries. When all have left the collective that used an entry
  // before, it may be written.
  void leave(uint64_t number) { left_.store(number, std::memory_order_release); }  // SYNC race-left
  bool was_left_before(uint64_t number) const {
    return left_.load(std::memory_order_acquire) + meeting_depth >= number;
  }  // SYNC race-left

 private:
  std::atomic<uint64_t> entered_{0};  // number of the collective for which the entry is filled
  std::atomic<uint64_t> left_{0};     // number of the last collective that the owner has left
};

}  // namespace atrium::race
