// The room of a leader: operands are written to who combines them, results to who wants them; two ways between nodes.
// SPDX-License-Identifier: BSD-3-Clause
//
// Data is divided into *parts*, one of each leader. Everybody writes what it has at your part into your room; you combine
// what has come, and write the result into everybody's dest. A flag follows each write: from each node there is one for
// its operands and one for its results. Two leaders may also send each other all they have, and combine it alike; what
// follows is a result without data, which says that the operand has been read.
//
// Why one room suffices: requires that nobody ends an exchange before it has the results of all. Each of them was sent
// when its sender had combined what was in its room; so a leader that begins the next exchange may write there again.
// Why a dest may be written, even if it is the source: its owner's operand has come, so it was copied before.
// Why nothing is on its way to me when I leave: I have awaited operands of all, if I have a part, and the results of all
// that have one. Everybody knows who has.
#pragma once

#include "team/flags.hpp"
#include "team/nodes.hpp"

namespace atrium {

class RoomExchange {
  static constexpr size_t line_pair = 128;

 public:
  explicit RoomExchange(TeamNodes& nodes) : nodes_(nodes), epoch_(++nodes.room_exchanges) {}

  // So much of a part fits into a room beside what the others send; nothing beyond most_nodes.
  static size_t most_bytes(const TeamNodes& nodes) {
    return room_bytes / static_cast<size_t>(nodes.count() - 1) / line_pair * line_pair;
  }
  static constexpr int most_nodes = 1 + static_cast<int>(room_bytes / line_pair);
  // The same for data that leaders divide among themselves.
  static size_t most_of_slice(const TeamNodes& nodes) {
    return most_bytes(nodes) * static_cast<size_t>(nodes.count());
  }

  // Sources may be used again at return. Requires: bytes <= most_bytes().
  void send_operand(int to, const void* data, size_t bytes) {
    raise(to, Flag::operands, place(to, nodes_.me), data, bytes);
  }
  // The same where the exchange divides its rooms in another way: `at` bytes behind the beginning of the room.
  void send_operand(int to, size_t at, const void* data, size_t bytes) {
    raise(to, Flag::operands, nodes_.room(to) + at, data, bytes);
  }
  std::byte* await_operand(int from, size_t at) {
    await(from, Flag::operands);
    return nodes_.room(nodes_.me) + at;
  }
  // Without room: my operand lies in symmetric memory, and may be read there until I have the result.
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
  // For two leaders, each of which combines for itself: I have read what is in my room.
  void say_read(int to) { raise(to, Flag::results, nullptr, nullptr, 0); }
  void await_result(int from) { await(from, Flag::results); }

 private:
  using Flag = TeamNodes::Flag;

  std::byte* place(int leader, int from) const {
    const size_t before = static_cast<size_t>(from < leader ? from : from - 1);
    return nodes_.room(leader) + before * most_bytes(nodes_);
  }
  void raise(int to, Flag flag, void* place, const void* data, size_t bytes) {
    detail::raise_away(nodes_.leaders, to, nodes_.flag(to, nodes_.me, flag), epoch_, place, data, bytes);
  }
  void await(int from, Flag flag) { await_flag(nodes_.leaders, nodes_.flag(nodes_.me, from, flag), epoch_); }

  TeamNodes& nodes_;
  uint64_t epoch_;
};

}  // namespace atrium
