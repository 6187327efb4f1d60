// Stands in front of src/team/nodes.hpp in the model of shared exchanges: members node after node, places that are named by hand.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "team/block.hpp"
#include "team/team.hpp"

namespace atrium {

inline constexpr int most_modelled_nodes = 3;
inline constexpr size_t area_bytes = 64;

// How many members each node has; none: there is no such node.
struct NodeSizes {
  std::array<int, most_modelled_nodes> sizes{};

  struct Pes {
    int first, count;
    int operator[](size_t i) const { return first + static_cast<int>(i); }
    size_t size() const { return static_cast<size_t>(count); }
  };
  Pes pes_of(int node) const {
    Pes pes{0, sizes[static_cast<size_t>(node)]};
    for (int before = 0; before < node; ++before) pes.first += sizes[static_cast<size_t>(before)];
    return pes;
  }
  int nodes() const {
    return static_cast<int>(std::count_if(sizes.begin(), sizes.end(), [](int size) { return size > 0; }));
  }
  int largest() const { return *std::max_element(sizes.begin(), sizes.end()); }
  int smallest() const { return *std::min_element(sizes.begin(), sizes.begin() + nodes()); }
};

// Where leaders of other nodes write.
struct SharedMemory {
  Epoch flags[2][most_modelled_nodes] = {};
  alignas(16) std::byte area[2][area_bytes] = {};
};

struct TeamNodes {
  enum class Flag { exchange, meetings };

  NodeSizes members;
  SharedMemory* memories = nullptr;  // by member
  int me = 0;
  Team node, leaders;
  mutable int spreading_leaders = 0;

  int count() const { return members.nodes(); }
  int after(int step) const { return (me + step) % count(); }
  int most_members() const { return members.largest(); }
  bool leads() const { return node.me < leader_count(); }
  int leader_count() const { return members.smallest(); }
  Epoch& flag(int leader, int from, Flag which) const {
    return memories[members.pes_of(leader)[static_cast<size_t>(node.me)]]
        .flags[static_cast<int>(which)][from];
  }
  Epoch& flag_of_neighbour(int leader, int from) const {
    return memories[members.pes_of(me)[static_cast<size_t>(leader)]].flags[1][from];
  }
  std::byte* area_of_first(const Team&, int which, int half) const {
    return memories[members.pes_of(which)[0]].area[half];
  }
  std::byte* area_of_node(int half) const { return memories[members.pes_of(me)[0]].area[half]; }
};

}  // namespace atrium
