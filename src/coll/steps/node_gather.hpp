// Gather over nodes: a little data of every member, in the area of each node's leader, where its neighbours read it.
// SPDX-License-Identifier: BSD-3-Clause
//
// Each leader copies the data of its neighbours; then leaders pass on all data that they have received so far, of twice as many nodes
// in each round (Bruck), each node's data at its members' positions. What does not fit into an area is gathered in several parts.
#pragma once

#include <algorithm>

#include "coll/steps/leaders.hpp"
#include "copy/copy.hpp"

namespace atrium {

// How many bytes of each member fit into an area.
inline size_t most_in_node_gather(const Team& team) { return area_bytes / static_cast<size_t>(team.size); }

// Whether so many bytes of each member fit.
inline bool has_node_gather(const Team& team, size_t bytes) { return bytes <= most_in_node_gather(team); }

// Each leader sends its data to others, until all have the data of all nodes. place_of(node): where the data of that node lies in
// the area; for node == count() where the last one's ends. send(to, place, bytes, goes_on): from `place` on, to the same
// place there; goes_on: a second piece follows.
template <class PlaceOf, class Send>
void spread_over_nodes(const TeamNodes& nodes, LeaderExchange& exchange, PlaceOf place_of, Send send) {
  for (int reach = 1; reach < nodes.count(); reach *= 2) {
    const int to = nodes.after(reach), heard_of = std::min(reach, nodes.count() - reach);
    const int first = nodes.me - heard_of + 1;  // me and those before me, around the team
    if (first < 0) {
      const size_t place = place_of(nodes.count() + first);
      send(to, place, place_of(nodes.count()) - place, true);
    }
    const size_t place = place_of(std::max(first, 0));
    send(to, place, place_of(nodes.me + 1) - place, false);
    exchange.await_from(nodes.after(nodes.count() - reach));
  }
}

class NodeGather {
 public:
  // fetch(place, i): copies what member i of my node team brings, `bytes` at most; on the leader, when all of the node
  // have come. Requires: has_node_gather(team, bytes).
  template <class Fetch>
  NodeGather(Team& team, size_t bytes, Fetch fetch) : nodes_(*team.nodes), bytes_(bytes) {
    NodeSync sync(nodes_);
    if (!sync.leads()) {
      area_ = nodes_.area_of_node(LeaderExchange::next_half(nodes_));
      sync.arrive_and_wait();
      return;
    }
    sync.await_all();
    LeaderExchange exchange(nodes_);
    area_ = exchange.area();
    std::byte* mine = exchange.area() + place_of_node(nodes_.me);
    for (int i = 0; i < nodes_.node.size; ++i) fetch(mine + static_cast<size_t>(i) * bytes, i);
    spread(exchange);
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

  void spread(LeaderExchange& exchange) {
    spread_over_nodes(
        nodes_, exchange, [&](int node) { return place_of_node(node); },
        [&](int to, size_t place, size_t bytes, bool goes_on) {
          const std::byte* const data = exchange.area() + place;
          if (goes_on)
            exchange.send_part(to, place, data, bytes);
          else
            exchange.send(to, place, data, bytes);
        });
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

// fetch(place, i, first, count): as NodeGather's, of bytes first ... of a block. take(gathered, first, count): then all
// members' bytes first ... are there.
template <class Fetch, class Take>
void gather_in_parts(Team& team, size_t bytes, Fetch fetch, Take take) {
  const size_t parts = parts_of_gather(team, bytes), each = (bytes + parts - 1) / parts;
  for (size_t first = 0; first < bytes; first += each) {
    const size_t count = std::min(each, bytes - first);
    take(NodeGather(team, count, [&](std::byte* place, int i) { fetch(place, i, first, count); }), first,
         count);
  }
}

}  // namespace atrium
