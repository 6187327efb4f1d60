// What a PE without an endpoint asks of a neighbour that has one.
// SPDX-License-Identifier: BSD-3-Clause
//
// A command is 72 bytes, and the data of a small put behind them, filled up to a multiple of 8. It names memory of this
// node by its offset in the node's segment, which every process of the node maps somewhere, and counters by their number
// in the asking PE's ring block (endpoint/ring_block.hpp).
#pragma once

#include <cstddef>
#include <cstdint>

namespace atrium {

enum class CommandKind : uint8_t {
  filler,  // nothing, up to the end of the ring
  put,     // `bytes` of data, to `node`, `local`, `offset`
  get,     // ... from there, into `here`
  change,  // of a word, counted
  fetch,   // ... whose old value goes into `here`
  signal,  // the data of a put, which may be none, and behind it a change of the word at `signal_offset`
  fence
};

struct Command {
  static constexpr uint32_t unit = 8;                  // sizes are multiples of it
  static constexpr uint64_t is_behind = ~uint64_t{0};  // as `here`: the data lies behind the command
  static constexpr uint16_t no_counter = 0xffff;

  uint32_t size = 0;  // of the whole command
  CommandKind kind = CommandKind::filler;
  uint8_t op = 0, width = 0;  // of a change: RecordOp, bytes
  uint8_t spare = 0;
  uint16_t pending = no_counter;  // counts it until it is complete
  uint16_t returns = no_counter;  // counts it until `here` may be used again
  int32_t node = 0, local = 0, signal_local = 0;
  uint64_t offset = 0, signal_offset = 0;
  uint64_t here = is_behind;
  uint64_t bytes = 0;
  uint64_t operand = 0, comparand = 0;
};
static_assert(sizeof(Command) == 72, "PEs of one node must agree on the layout");

constexpr uint32_t command_size(uint64_t data_behind) {
  return static_cast<uint32_t>((sizeof(Command) + data_behind + Command::unit - 1) / Command::unit *
                               Command::unit);
}

}  // namespace atrium
