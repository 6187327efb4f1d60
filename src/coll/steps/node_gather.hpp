// Gather over nodes: a little data of every member, in the area of each node's leader, where its neighbours read it.
// SPDX-License-Identifier: BSD-3-Clause
//
// Each leader takes what its neighbours have; then leaders pass on what they have heard of so far, twice as many nodes in
// each round (Bruck), each node's data at its members' positions.
#pragma once

#include <algorithm>

#include "coll/steps/leaders.hpp"
#include "copy/copy.hpp"

namespace atrium {

// Does it have room for so many bytes of each member?
inline bool has_node_gather(const Team& team, size_t bytes) {
  return bytes <= area_bytes / static_cast<size_t>(team.size);
}

class NodeGather {
 public:
  // fetch(place, i): copies what member i of my node team brings, `bytes` at most; on the leader, when all of the node
  // have come. Requires: has_node_gather(team, bytes).
  template <class Fetch>
  NodeGather(Team& team, size_t bytes, Fetch fetch) : nodes_(*team.nodes), bytes_(bytes) {
    NodeMeeting meeting(nodes_);
    if (!meeting.leads()) {
      area_ = nodes_.area_of_node(LeaderExchange::next_half(nodes_));
      meeting.come();
      return;
    }
    meeting.await_all();
    LeaderExchange exchange(nodes_);
    area_ = exchange.area();
    std::byte* mine = exchange.area() + place_of_node(nodes_.me);
    for (int i = 0; i < nodes_.node.size; ++i) fetch(mine + static_cast<size_t>(i) * bytes, i);
    spread(exchange);
    meeting.let_go();
  }

  // What a member has brought. Valid until I enter the next collective.
  const std::byte* of(int member) const {
    return area_ + static_cast<size_t>(nodes_.position[static_cast<size_t>(member)]) * bytes_;
  }

 private:
  size_t place_of_node(int node) const {
    return static_cast<size_t>(nodes_.first[static_cast<size_t>(node)]) * bytes_;
  }

  void spread(LeaderExchange& exchange) {
    for (int reach = 1; reach < nodes_.count(); reach *= 2) {
      tell(exchange, nodes_.after(reach), std::min(reach, nodes_.count() - reach));
      exchange.await_from(nodes_.after(nodes_.count() - reach));
    }
  }

  // What I have heard of so far: so many nodes, me and those before me around the team.
  void tell(LeaderExchange& exchange, int to, int nodes) {
    const int begin = nodes_.me - nodes + 1;
    if (begin < 0) {
      const size_t place = place_of_node(nodes_.count() + begin);
      exchange.send_part(to, place, exchange.area() + place, place_of_node(nodes_.count()) - place);
    }
    const size_t place = place_of_node(std::max(begin, 0));
    exchange.send(to, place, exchange.area() + place, place_of_node(nodes_.me + 1) - place);
  }

  TeamNodes& nodes_;
  size_t bytes_;
  const std::byte* area_;
};

}  // namespace atrium
