// A ring of commands in the node's segment: one PE writes, its neighbour's endpoint executes.
// SPDX-License-Identifier: BSD-3-Clause
//
//   | ... executed | commands | ... free |     `tail` and `head` count bytes for ever; a place is the count modulo room
//                  ^ head     ^ tail
//
// Invariants. A command lies in one piece: where the end of the ring is too near a filler lies before it. What is between
//             head and tail belongs to the reader, the rest to the writer. Zero-filled memory is an empty ring.
// Thread safety: one writer at a time, one reader at a time.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "arch/fence.hpp"
#include "network/command.hpp"

namespace atrium {

template <uint32_t room>
class CommandRing {
 public:
  static_assert(room % Command::unit == 0 && (room & (room - 1)) == 0);

  // Whether reserve() would find space, and leave `spare` bytes for other commands.
  bool has_room(uint32_t size, uint64_t spare = 0) const {
    const uint64_t tail = tail_.load(std::memory_order_relaxed);
    const uint64_t end = tail + filler_at(tail, size) + size + spare;
    return end - head_.load(std::memory_order_acquire) <= room;  // SYNC command-ring
  }
  // The most bytes that a command takes up, with a filler before it.
  static constexpr uint64_t most_taken(uint32_t size) { return 2 * uint64_t{size}; }
  // Where a command of `size` bytes may be written, or null while there is no space. publish() makes it visible to the reader.
  Command* reserve(uint32_t size) {
    if (!has_room(size)) return nullptr;
    const uint64_t tail = tail_.load(std::memory_order_relaxed);
    Command* const place = at_place(tail);
    const uint32_t filler = filler_at(tail, size);
    if (filler == 0) return place;
    place->size = filler;
    place->pending = Command::filler;
    publish(filler);
    return at_place(0);
  }
  void publish(uint32_t size) {
    tail_.store(tail_.load(std::memory_order_relaxed) + size,
                std::memory_order_release);  // SYNC command-ring
  }

  // The oldest command that is not executed, or null. pop() gives its bytes back.
  const Command* front() {
    for (;;) {
      const uint64_t head = head_.load(std::memory_order_relaxed);
      if (head == tail_.load(std::memory_order_acquire)) return nullptr;  // SYNC command-ring
      const Command* command = at_place(head);
      if (command->pending != Command::filler) return command;
      pop(command->size);
    }
  }
  void pop(uint32_t size) {
    head_.store(head_.load(std::memory_order_relaxed) + size,
                std::memory_order_release);  // SYNC command-ring
  }

  // The writer's: how much it has written, and, behind a full fence, whether all of that has been executed. The first
  // command behind what has been rings (network/doorbell.hpp): a reader that has more before it is awake, or will be when it can go on.
  uint64_t written() const { return tail_.load(std::memory_order_relaxed); }
  bool is_executed(uint64_t written) const {
    return static_cast<int64_t>(head_.load(std::memory_order_relaxed) - written) >= 0;
  }
  // The reader's, after it has executed something and found no more: whether nothing has come that has not rung, because
  // what was before it was not executed yet.
  bool is_drained() const {
    full_fence();  // SYNC command-ring
    return is_empty();
  }
  // The reader's: there is work for it for a while, so a writer that waits for room may sleep on. When this ends there is
  // room for any command.
  bool is_crowded() const {
    return tail_.load(std::memory_order_relaxed) - head_.load(std::memory_order_relaxed) > room / 2;
  }
  // For both sides, without ordering: only front() and has_room() say which bytes may be accessed.
  bool is_empty() const {
    return head_.load(std::memory_order_relaxed) == tail_.load(std::memory_order_relaxed);
  }

 private:
  Command* at_place(uint64_t count) { return reinterpret_cast<Command*>(bytes_ + count % room); }
  // Bytes up to the end of the ring where the command does not fit in front of it.
  static uint32_t filler_at(uint64_t tail, uint32_t size) {
    const auto left = static_cast<uint32_t>(room - tail % room);
    return size <= left ? 0 : left;
  }

  alignas(128) std::atomic<uint64_t> tail_{0};
  alignas(128) std::atomic<uint64_t> head_{0};
  alignas(128) char bytes_[room];
};

}  // namespace atrium
