// What a leader sends to one of another node, for models: data and flags that arrive in order, at whatever time.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <deque>
#include <vector>

#include "copy/copy.hpp"
#include "model.hpp"
#include "team/block.hpp"

namespace atrium {

struct RaiseChannel {
  struct Raise {
    Epoch* flag;
    uint64_t epoch;
    std::byte* place;
    std::vector<std::byte> data;
    const void* source = nullptr;  // of a word that is still to be read
  };
  std::atomic<uint64_t> sent{0}, settled{0};
  std::deque<Raise> raises;
  uint64_t taken = 0;

  void send(Raise raise) {
    raises.push_back(std::move(raise));
    sent.fetch_add(1, std::memory_order_acq_rel);
  }
  // What the other node does with the next one.
  void deliver() {
    model::await(
        [](void* subject) {
          auto& channel = *static_cast<RaiseChannel*>(subject);
          return channel.sent.load(std::memory_order_acquire) > channel.taken;
        },
        this);
    const Raise& raise = raises[taken++];
    if (raise.source) {
      model::plain_read(raise.source, sizeof(uint64_t));
      copy(raise.place, raise.source, sizeof(uint64_t));
    }
    if (!raise.data.empty()) copy(raise.place, raise.data.data(), raise.data.size());
    raise.flag->store(raise.epoch, std::memory_order_release);
    settled.fetch_add(1, std::memory_order_acq_rel);
  }
  // The sender: what it has sent is there.
  void settle() {
    model::await(
        [](void* subject) {
          auto& channel = *static_cast<RaiseChannel*>(subject);
          return channel.settled.load(std::memory_order_acquire) ==
                 channel.sent.load(std::memory_order_relaxed);
        },
        this);
  }
};

// Plain words, whose accesses are checked against each other.
inline uint64_t read(const void* word) {
  model::plain_read(word, sizeof(uint64_t));
  return *static_cast<const uint64_t*>(word);
}
inline void write(uint64_t& word, uint64_t value) {
  model::plain_write(&word, sizeof word);
  word = value;
}

}  // namespace atrium
