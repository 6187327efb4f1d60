// alltoall by Bruck's algorithm: leaders pass small blocks on, so that each sends as many messages as the number of nodes has bits.
// SPDX-License-Identifier: BSD-3-Clause
//
// Each block travels up to that many times: worth it while a message costs the same whatever it carries. What is more than a
// record in a round goes by `leaders`.
#include "coll/steps/bruck.hpp"

#include "coll/alltoall/alltoall.hpp"
#include "coll/alltoall/node_blocks.hpp"

namespace atrium {
namespace {

struct BytesBetween {
  size_t operator()(int from, int to) const {
    return static_cast<size_t>(nodes.members_on(from)) * static_cast<size_t>(nodes.members_on(to)) * block;
  }
  const TeamNodes& nodes;
  size_t block;
};
using BlocksByBruck = Bruck<BytesBetween>;

bool fits(const TeamNodes& nodes, size_t block) {
  const auto most = static_cast<size_t>(nodes.most_members());
  return block <= BlocksByBruck::room(nodes) / (BlocksByBruck::most_blocks(nodes) * most * most);
}

void run(Team& team, const Blocks& blocks) {
  TeamNodes& nodes = *team.nodes;
  if (!fits(nodes, blocks.bytes()))
    return alltoall_family
        .hand_over(alltoall_by::bruck, alltoall_by::leaders, "blocks of a node have to fit into 64 KiB")
        .run(team, blocks);
  BlocksByBruck bruck(nodes, {nodes, blocks.bytes()});
  const int half = exchange_at_leader(nodes, [&](LeaderExchange& exchange) {
    bruck.run(exchange, [&](int to, std::byte* place) { pack_node(nodes, blocks, to, place); });
  });
  if (nodes.node.me != 0) bruck.follow(half);
  const std::byte* area = nodes.area_of_node(half);
  for (int distance = 0; distance < nodes.count(); ++distance)
    unpack_node(nodes, blocks, bruck.source_of(distance), area + bruck.place_of(distance));
}

}  // namespace

constinit const AlltoallAlgorithm alltoall_by::bruck{"bruck", run, any_bytes, any_members, Nodes::many};

}  // namespace atrium
