// fcollect by Bruck's algorithm: leaders pass on what they have, twice as many nodes in each round, and gather it in their dests,
// where the members of their nodes copy it.
// SPDX-License-Identifier: BSD-3-Clause
//
// Each leader sends as many messages as the number of nodes has bits, and each byte once. Members have to be numbered node after node, so
// that what a leader has received lies together in its dest, too.
#include "coll/barrier/barrier.hpp"
#include "coll/collect/collect.hpp"
#include "coll/steps/node_gather.hpp"

namespace atrium {
namespace {

// On the leader, into its dest.
void gather(TeamNodes& nodes, LeaderExchange& exchange, std::byte* dest, const void* source, size_t bytes) {
  const auto place_of = [&](int node) {
    return static_cast<size_t>(nodes.first[static_cast<size_t>(node)]) * bytes;
  };
  std::byte* const mine = dest + place_of(nodes.me);
  for (int i = 0; i < nodes.node.size; ++i)
    atrium::copy(mine + static_cast<size_t>(i) * bytes, nodes.node.there(source, i), bytes);
  spread_over_nodes(nodes, exchange, place_of, [&](int to, size_t place, size_t length, bool goes_on) {
    if (goes_on)
      exchange.put_part(to, dest + place, dest + place, length);
    else
      exchange.put(to, dest + place, dest + place, length);
  });
}

void run(Team& team, void* dest, const void* source, size_t bytes) {
  TeamNodes& nodes = *team.nodes;
  if (!nodes.in_order())
    return fcollects
        .hand_over(fcollect_by::bruck, fcollect_by::leaders_put, "members are not numbered node after node")
        .run(team, dest, source, bytes);
  NodeSync sync(nodes);
  if (sync.leads()) {
    sync.await_all();
    LeaderExchange exchange(nodes);
    gather(nodes, exchange, static_cast<std::byte*>(dest), source, bytes);
    sync.release();
  } else {
    LeaderExchange::next_half(nodes);
    sync.arrive_and_wait();
    atrium::copy(dest, nodes.node.there(static_cast<const std::byte*>(dest), 0),
                 static_cast<size_t>(team.size) * bytes);
  }
  synchronise(nodes.node);  // every member has read the leader's dest
}

}  // namespace

constinit const CollectAlgorithm fcollect_by::bruck{"bruck", run, any_bytes, any_members, ServedNodes::many};

}  // namespace atrium
