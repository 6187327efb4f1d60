// alltoall by Bruck's algorithm: leaders pass small blocks on, so that each sends as many messages as the number of nodes has bits.
// SPDX-License-Identifier: BSD-3-Clause
//
// Each block travels up to that many times: worth it while a message costs the same whatever it carries. What is more than a
// record in a round is exchanged in parts, as long as that takes less than `leaders`, to which larger blocks go.
#include "coll/steps/bruck.hpp"

#include <algorithm>

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

// How many elements of each block fit in the buffers.
size_t elements_that_fit(const TeamNodes& nodes, size_t element) {
  const auto most = static_cast<size_t>(nodes.most_members());
  return BlocksByBruck::buffer_bytes(nodes) / (BlocksByBruck::most_blocks(nodes) * most * most) / element;
}

void exchange(TeamNodes& nodes, const AlltoallBlocks& blocks) {
  BlocksByBruck bruck(nodes, {nodes, blocks.bytes()});
  const int half = exchange_at_leader(nodes, [&](LeaderExchange& exchange) {
    bruck.run(exchange, [&](int to, std::byte* place) { pack_node(nodes, blocks, to, place); });
  });
  if (nodes.node.me != 0) bruck.follow(half);
  const std::byte* area = nodes.area_of_node(half);
  for (int distance = 0; distance < nodes.count(); ++distance)
    unpack_node(nodes, blocks, bruck.source_of(distance), area + bruck.place_of(distance));
}

// Instead of `leaders`, where that works. A round, which waits for a message, takes three times as long as sending one
// (./atrium sim, docs/measurements/collectives.md), or twice where it is sending that takes long. One part is up to the rules.
bool is_worth(const TeamNodes& nodes, const AlltoallBlocks& blocks, size_t parts) {
  if (parts == 1) return true;
  const size_t exchanges = parts_of(blocks.nelems, elements_in_area(nodes, blocks.element));
  if (parts >= endless_parts || exchanges > exchanges_worth(nodes, blocks)) return false;
  const size_t sends_of_a_round = job_is(costly_messages) ? 2 : 3;
  const auto count = static_cast<size_t>(nodes.count()),
             rounds = static_cast<size_t>(rounds_of(nodes.count()));
  return sends_of_a_round * parts * rounds <= exchanges * count;
}

void run(Team& team, const AlltoallBlocks& blocks) {
  TeamNodes& nodes = *team.nodes;
  const size_t most = elements_that_fit(nodes, blocks.element);
  if (!is_worth(nodes, blocks, parts_of(blocks.nelems, most)))
    return alltoall_family
        .hand_over(alltoall_by::bruck, alltoall_by::leaders, "the blocks are too large for a few messages")
        .run(team, blocks);
  exchange_in_parts(blocks, most, [&](const AlltoallBlocks& part) { exchange(nodes, part); });
}

}  // namespace

constinit const AlltoallAlgorithm alltoall_by::bruck{"bruck", run, any_bytes, any_members, ServedNodes::many};

}  // namespace atrium
