// Gather in dests: leaders pass on what they have, twice as many nodes in each round (Bruck), and gather it in their dests, where the
// members of their nodes copy it.
// SPDX-License-Identifier: BSD-3-Clause
//
// Each leader sends as many messages as the number of nodes has bits, and each byte once. Members have to be numbered node after node, so
// that what a leader has received lies together in its dest, too.
#pragma once

#include "coll/barrier/barrier.hpp"
#include "coll/steps/node_gather.hpp"

namespace atrium {

// On the leader, into its dest.
template <class BeginOf>
void spread_dests(TeamNodes& nodes, LeaderExchange& exchange, std::byte* dest, const void* source,
                  BeginOf begin_of) {
  const auto first_of = [&](int node) { return nodes.first[static_cast<size_t>(node)]; };
  for (int i = 0; i < nodes.node.size; ++i) {
    const size_t begin = begin_of(first_of(nodes.me) + i), end = begin_of(first_of(nodes.me) + i + 1);
    if (begin < end) atrium::copy(dest + begin, nodes.node.there(source, i), end - begin);
  }
  spread_over_nodes(
      nodes, exchange, [&](int node) { return begin_of(first_of(node)); },
      [&](int to, size_t place, size_t bytes, bool goes_on) {
        if (!goes_on)
          exchange.put(to, dest + place, dest + place, bytes);
        else if (bytes > 0)
          exchange.put_part(to, dest + place, dest + place, bytes);
      });
}

// begin_of(member): where a member's block begins in dest, and for team.size where the last one ends.
// Requires: team.nodes->in_order().
template <class BeginOf>
void gather_in_dests(Team& team, void* dest, const void* source, BeginOf begin_of) {
  TeamNodes& nodes = *team.nodes;
  NodeSync sync(nodes);
  if (sync.leads()) {
    sync.await_all();
    LeaderExchange exchange(nodes);
    spread_dests(nodes, exchange, static_cast<std::byte*>(dest), source, begin_of);
    sync.release();
  } else {
    LeaderExchange::next_half(nodes);
    sync.arrive_and_wait();
    atrium::copy(dest, nodes.node.there(static_cast<const std::byte*>(dest), 0), begin_of(team.size));
  }
  synchronise(nodes.node);  // every member has read the leader's dest
}

}  // namespace atrium
