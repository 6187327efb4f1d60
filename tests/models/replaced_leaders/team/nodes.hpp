// Stands in front of src/team/nodes.hpp in the model of leaders: nodes of one member each, places that are named by hand.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "team/block.hpp"
#include "team/team.hpp"

namespace atrium {

inline constexpr size_t area_bytes = 128;
inline constexpr size_t leader_buffer_bytes = 512;
inline constexpr size_t most_in_a_record = 16;

// Where leaders of other nodes write.
template <int nodes>
struct LeaderMemory {
  Epoch flags[4][nodes] = {};
  alignas(16) std::byte area[2][area_bytes] = {};
  alignas(128) std::byte buffer[leader_buffer_bytes] = {};
};

struct TeamNodes {
  enum class Flag { exchange, operands, results, pieces };
  using Memory = LeaderMemory<4>;

  Memory* memories = nullptr;
  int nodes = 0, me = 0;
  Team node, leaders;
  uint64_t buffer_exchanges = 0, relayed = 0;

  int count() const { return nodes; }
  int after(int step) const { return (me + step) % nodes; }
  int most_members() const { return 1; }
  Epoch& flag(int leader, int from, Flag which) const {
    return memories[leader].flags[static_cast<int>(which)][from];
  }
  std::byte* area(int leader, int half) const { return memories[leader].area[half]; }
  std::byte* buffer(int leader) const { return memories[leader].buffer; }
};

}  // namespace atrium
