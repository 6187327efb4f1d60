// What a thread knows: of each atomic object the oldest value it may still read, of each thread how far it has come.
// SPDX-License-Identifier: BSD-3-Clause
//
// The memory model is the operational one of views (Kang et al., "A promising semantics for relaxed-memory
// concurrency", POPL 2017) without promises: stores are added at the end of their object's history, loads may take
// any value of the history that the reader's view does not exclude. So stale reads, and everything that follows
// from them, are explored; load buffering (a store seen before an earlier load of its thread) is not.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace model {

class View {
 public:
  uint32_t seen(size_t object) const { return at(seen_, object); }
  uint32_t clock(size_t thread) const { return at(clocks_, thread); }
  void see(size_t object, uint32_t index) { raise(seen_, object, index); }
  void advance(size_t thread) { raise(clocks_, thread, clock(thread) + 1); }
  void join(const View& other) {
    join(seen_, other.seen_);
    join(clocks_, other.clocks_);
  }

 private:
  using Numbers = std::vector<uint32_t>;
  static uint32_t at(const Numbers& numbers, size_t index) {
    return index < numbers.size() ? numbers[index] : 0;
  }
  static void raise(Numbers& numbers, size_t index, uint32_t value) {
    if (index >= numbers.size()) numbers.resize(index + 1);
    numbers[index] = std::max(numbers[index], value);
  }
  static void join(Numbers& mine, const Numbers& other) {
    for (size_t index = 0; index < other.size(); ++index) raise(mine, index, other[index]);
  }

  Numbers seen_;    // atomic object -> first index of its history that may be read
  Numbers clocks_;  // thread -> its steps that happened before
};

}  // namespace model
