// The buffer of a leader, through which leaders exchange operands and results: an operand is written to the leader that combines
// it, a result to every leader that needs it.
// SPDX-License-Identifier: BSD-3-Clause
//
// Data is divided into *parts*, one for each leader. Every leader writes its operand of your part into your buffer; you combine the
// operands and write the result into every leader's dest. A flag follows each write: for each node there is one for its operands
// and one for its results. Two leaders may also send each other their whole operands, and each combines them for itself; then a
// result without data follows, which says that the operand has been read.
//
// One buffer suffices, because no leader ends an exchange before it has the results of all. Each result was sent after its sender
// had combined the operands in its buffer, so a leader that begins the next exchange may write into that buffer again.
// A dest may be written even if it is the source: its owner's operand has arrived, so the source was copied before.
// Nothing is under way to a leader that returns: it has awaited the operands of all, if it has a part, and the results of all that
// have a part. Every leader knows which have one.
#pragma once

#include "team/flags.hpp"
#include "team/nodes.hpp"

namespace atrium {

class BufferExchange {
  static constexpr size_t line_pair = 128;

 public:
  explicit BufferExchange(TeamNodes& nodes) : nodes_(nodes), epoch_(++nodes.buffer_exchanges) {}

  // How much of a part fits into a buffer beside the operands of the other leaders; 0 beyond most_nodes.
  static size_t most_bytes(const TeamNodes& nodes) {
    return leader_buffer_bytes / static_cast<size_t>(nodes.count() - 1) / line_pair * line_pair;
  }
  static constexpr int most_nodes = 1 + static_cast<int>(leader_buffer_bytes / line_pair);
  // The same for data that leaders divide among themselves.
  static size_t most_of_slice(const TeamNodes& nodes) {
    return most_bytes(nodes) * static_cast<size_t>(nodes.count());
  }

  // Sources may be used again at return. Requires: bytes <= most_bytes().
  void send_operand(int to, const void* data, size_t bytes) {
    raise(to, Flag::operands, place(to, nodes_.me), data, bytes);
  }
  // The same where the exchange divides its buffers in another way: `at` bytes behind the beginning of the buffer.
  void send_operand(int to, size_t at, const void* data, size_t bytes) {
    raise(to, Flag::operands, nodes_.buffer(to) + at, data, bytes);
  }
  std::byte* await_operand(int from, size_t at) {
    await(from, Flag::operands);
    return nodes_.buffer(nodes_.me) + at;
  }
  // Without a buffer: my operand lies in symmetric memory, and may be read there until I have the result.
  void say_ready(int to) { raise(to, Flag::operands, nullptr, nullptr, 0); }
  void await_ready(int from) { await(from, Flag::operands); }
  // Mine to read and to change, until I send a result.
  std::byte* await_operand(int from) {
    await(from, Flag::operands);
    return place(nodes_.me, from);
  }
  // `dest` is my address of a symmetric object.
  void send_result(int to, void* dest, const void* data, size_t bytes) {
    raise(to, Flag::results, dest, data, bytes);
  }
  // For two leaders, each of which combines for itself: I have read what is in my buffer.
  void say_read(int to) { raise(to, Flag::results, nullptr, nullptr, 0); }
  void await_result(int from) { await(from, Flag::results); }

 private:
  using Flag = TeamNodes::Flag;

  std::byte* place(int leader, int from) const {
    const size_t before = static_cast<size_t>(from < leader ? from : from - 1);
    return nodes_.buffer(leader) + before * most_bytes(nodes_);
  }
  void raise(int to, Flag flag, void* place, const void* data, size_t bytes) {
    detail::raise_away(nodes_.leaders, to, nodes_.flag(to, nodes_.me, flag), epoch_, place, data, bytes);
  }
  void await(int from, Flag flag) { await_flag(nodes_.leaders, nodes_.flag(nodes_.me, from, flag), epoch_); }

  TeamNodes& nodes_;
  uint64_t epoch_;
};

}  // namespace atrium
