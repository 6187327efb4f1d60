// What a PE without an endpoint asks of a neighbour that has one.
// SPDX-License-Identifier: BSD-3-Clause
//
// A command is an operation, 80 bytes, and the data of a small put behind it, filled up to a multiple of 8. It names memory of
// this node by its offset in the node's segment, which every process of the node maps somewhere, and counters by their number
// in the asking PE's ring block (network/ring_block.hpp).
#pragma once

#include <cstddef>
#include <cstdint>

#include "wire/operation.hpp"

namespace atrium {

// The part of a command that a filler has too, however near the end of the ring is.
struct CommandHead {
  static constexpr uint32_t unit = 8;                  // sizes are multiples of it
  static constexpr uint64_t is_behind = ~uint64_t{0};  // as `here`: the data lies behind the command
  static constexpr uint16_t no_counter = 0xffff;
  static constexpr uint16_t filler = 0xfffe;  // as `pending`: no command, but the end of the ring

  uint32_t size = 0;              // of the whole command
  uint16_t pending = no_counter;  // counts it until it is complete
  uint16_t returns = no_counter;  // counts it until `here` may be used again
};
static_assert(sizeof(CommandHead) == CommandHead::unit);

struct Command : CommandHead, Operation {
  Command() = default;
  explicit Command(const Operation& operation) : Operation(operation) {}

  uint64_t here = is_behind;
};
static_assert(sizeof(Command) == 80, "PEs of one node must agree on the layout");

constexpr uint32_t command_size(uint64_t data_behind) {
  return static_cast<uint32_t>((sizeof(Command) + data_behind + Command::unit - 1) / Command::unit *
                               Command::unit);
}

}  // namespace atrium
