// Gather over nodes: a little data of every member, in the area of each node's leader, where its neighbours read it.
// SPDX-License-Identifier: BSD-3-Clause
//
// The data of a node's members lies at their positions; leaders spread it over the nodes (coll/steps/spread.hpp). What does not fit into
// an area is gathered in several parts.
#pragma once

#include <algorithm>

#include "coll/steps/spread.hpp"
#include "copy/copy.hpp"

namespace atrium {

// How many bytes of each member fit into an area.
inline size_t most_in_node_gather(const Team& team) { return area_bytes / static_cast<size_t>(team.size); }

// Whether so many bytes of each member fit.
inline bool has_node_gather(const Team& team, size_t bytes) { return bytes <= most_in_node_gather(team); }

class NodeGather {
 public:
  // fetch(place): copies what I bring, `bytes` at most. Requires: has_node_gather(team, bytes).
  template <class Fetch>
  NodeGather(Team& team, size_t bytes, Fetch fetch) : nodes_(*team.nodes), bytes_(bytes) {
    const int leaders = spreading_leaders(nodes_);
    SharedSync sync(nodes_, leaders);
    SharedExchange exchange(team, 1);
    area_ = exchange.area();
    fetch(exchange.area() + place_of_node(nodes_.me) + static_cast<size_t>(nodes_.node.me) * bytes);
    if (!sync.leads()) {
      sync.arrive_and_wait();
      return;
    }
    sync.await_all();
    spread_areas(sync, exchange, nodes_, leaders, [&](int node) { return place_of_node(node); });
    sync.release();
  }

  // What a member has brought. Valid until I enter the next collective.
  const std::byte* of(int member) const {
    return area_ + static_cast<size_t>(nodes_.position(member)) * bytes_;
  }

 private:
  size_t place_of_node(int node) const {
    return static_cast<size_t>(nodes_.first[static_cast<size_t>(node)]) * bytes_;
  }

  TeamNodes& nodes_;
  size_t bytes_;
  const std::byte* area_;
};

// In how many parts blocks of so many bytes are gathered. Requires: an area holds a byte of each member.
inline size_t parts_of_gather(const Team& team, size_t bytes) {
  return (bytes + most_in_node_gather(team) - 1) / most_in_node_gather(team);
}

// Each part takes as many rounds as the number of nodes has bits, where direct messages go to each other node once.
inline bool pays_in_parts(const Team& team, size_t bytes) {
  if (has_node_gather(team, bytes)) return true;
  const int nodes = team.nodes->count();
  return most_in_node_gather(team) > 0 &&
         parts_of_gather(team, bytes) <= static_cast<size_t>(nodes / (2 * rounds_of(nodes)));
}

// fetch(place, first, count): as NodeGather's, of bytes first ... of my block. take(gathered, first, count): then all
// members' bytes first ... are there.
template <class Fetch, class Take>
void gather_in_parts(Team& team, size_t bytes, Fetch fetch, Take take) {
  const size_t parts = parts_of_gather(team, bytes), each = (bytes + parts - 1) / parts;
  for (size_t first = 0; first < bytes; first += each) {
    const size_t count = std::min(each, bytes - first);
    take(NodeGather(team, count, [&](std::byte* place) { fetch(place, first, count); }), first, count);
  }
}

}  // namespace atrium
