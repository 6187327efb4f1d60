// alltoall by leaders: of small blocks one message goes from each node to each other one.
// SPDX-License-Identifier: BSD-3-Clause
//
//   area of a leader:  | blocks from position 0: for member 0, 1, ... of its node | from position 1 | ...
//
// Each leader packs the blocks of all its neighbours, those for its own node too; neighbours unpack theirs.
#include "coll/steps/leaders.hpp"

#include "coll/alltoall/alltoall.hpp"

namespace atrium {
namespace {

// Where the blocks from that position lie in the area of a node.
size_t place_in(const TeamNodes& nodes, int node, int position, size_t bytes) {
  return static_cast<size_t>(position) * static_cast<size_t>(nodes.members_on(node)) * bytes;
}

// What my node's members have for those of another.
void pack(const TeamNodes& nodes, const Blocks& blocks, int to, std::byte* packed) {
  for (int from = 0; from < nodes.node.size; ++from) {
    for (int member : nodes.members[static_cast<size_t>(to)]) {
      pack_block(blocks, packed, nodes.node.there(blocks.source_block(member), from));
      packed += blocks.bytes();
    }
  }
}

void exchange_blocks(TeamNodes& nodes, const Blocks& blocks, LeaderExchange& exchange) {
  alignas(128) std::byte packed[area_bytes];
  const int first = nodes.first[static_cast<size_t>(nodes.me)],
            end = nodes.first[static_cast<size_t>(nodes.me) + 1];
  for (int step = 1; step < nodes.count(); ++step) {
    const int to = nodes.after(step);
    const size_t place = place_in(nodes, to, first, blocks.bytes());
    pack(nodes, blocks, to, packed);
    exchange.send(to, place, packed, place_in(nodes, to, end, blocks.bytes()) - place);
  }
  pack(nodes, blocks, nodes.me, exchange.area() + place_in(nodes, nodes.me, first, blocks.bytes()));
  for (int step = 1; step < nodes.count(); ++step) exchange.await_from(nodes.after(step));
}

// Returns the half of the area where my leader has everything.
int gather_blocks(TeamNodes& nodes, const Blocks& blocks) {
  NodeMeeting meeting(nodes);
  if (!meeting.leads()) {
    const int half = LeaderExchange::next_half(nodes);
    meeting.come();
    return half;
  }
  meeting.await_all();
  LeaderExchange exchange(nodes);
  exchange_blocks(nodes, blocks, exchange);
  meeting.let_go();
  return exchange.half();
}

void run(Team& team, const Blocks& blocks) {
  TeamNodes& nodes = *team.nodes;
  const auto most = static_cast<size_t>(team.size) * static_cast<size_t>(nodes.most_members());
  if (blocks.bytes() > area_bytes / most) return alltoall_by::put.run(team, blocks);
  const std::byte* area = nodes.area_of_node(gather_blocks(nodes, blocks));
  for (int member = 0; member < team.size; ++member) {
    const size_t place =
        place_in(nodes, nodes.me, nodes.position[static_cast<size_t>(member)], blocks.bytes());
    unpack_block(blocks, blocks.dest_block(member),
                 area + place + static_cast<size_t>(nodes.node.me) * blocks.bytes());
  }
}

}  // namespace

constinit const AlltoallAlgorithm alltoall_by::leaders{"leaders", run, any_bytes, any_members, Nodes::many};

}  // namespace atrium
