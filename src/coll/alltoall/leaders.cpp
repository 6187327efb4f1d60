// alltoall by leaders: of small blocks one message goes from each node to each other one.
// SPDX-License-Identifier: BSD-3-Clause
//
//   area of a leader:  | blocks from position 0: for member 0, 1, ... of its node | from position 1 | ...
//
// Each leader packs the blocks of all its neighbours, those for its own node too; neighbours unpack theirs. Where its own
// node's lie in the end nobody else writes: there it packs those for each other node before, so there is room for as many
// as the largest node takes. What does not fit is exchanged in two parts.
#include "coll/steps/leaders.hpp"

#include <algorithm>

#include "coll/alltoall/alltoall.hpp"

namespace atrium {
namespace {

// Bytes in an area for what comes from one position.
size_t bytes_from_each(const TeamNodes& nodes, const Blocks& blocks) {
  return static_cast<size_t>(nodes.most_members()) * blocks.bytes();
}

// What my node's members have for those of another.
void pack(const TeamNodes& nodes, const Blocks& blocks, int to, std::byte* packed) {
  for (int from = 0; from < nodes.node.size; ++from) {
    std::byte* place = packed + static_cast<size_t>(from) * bytes_from_each(nodes, blocks);
    for (int member : nodes.members[static_cast<size_t>(to)]) {
      pack_block(blocks, place, nodes.node.there(blocks.source_block(member), from));
      place += blocks.bytes();
    }
  }
}

void exchange_blocks(TeamNodes& nodes, const Blocks& blocks, LeaderExchange& exchange) {
  const size_t from_each = bytes_from_each(nodes, blocks);
  const size_t place = static_cast<size_t>(nodes.first[static_cast<size_t>(nodes.me)]) * from_each;
  std::byte* const packed = exchange.area() + place;
  for (int step = 1; step < nodes.count(); ++step) {
    const int to = nodes.after(step);
    pack(nodes, blocks, to, packed);
    exchange.send(to, place, packed, static_cast<size_t>(nodes.node.size) * from_each);
  }
  pack(nodes, blocks, nodes.me, packed);
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

void exchange_in_area(Team& team, const Blocks& blocks) {
  TeamNodes& nodes = *team.nodes;
  const size_t from_each = bytes_from_each(nodes, blocks);
  const std::byte* area = nodes.area_of_node(gather_blocks(nodes, blocks));
  for (int member = 0; member < team.size; ++member) {
    const size_t place = static_cast<size_t>(nodes.position[static_cast<size_t>(member)]) * from_each;
    unpack_block(blocks, blocks.dest_block(member),
                 area + place + static_cast<size_t>(nodes.node.me) * blocks.bytes());
  }
}

// How many elements of each block fit in an area.
size_t elements_that_fit(const Team& team, size_t element) {
  return area_bytes / static_cast<size_t>(team.size) / static_cast<size_t>(team.nodes->most_members()) /
         element;
}

void run(Team& team, const Blocks& blocks) {
  // The members of a node put as often as there are pairs of them and others: few of them are done before a second exchange.
  const size_t exchanges = team.nodes->most_members() < 4 ? 1 : 2;
  const size_t most = elements_that_fit(team, blocks.element);
  if (blocks.nelems > exchanges * most) return alltoall_by::put.run(team, blocks);
  for (size_t first = 0; first < blocks.nelems; first += most)
    exchange_in_area(team, blocks.part(first, std::min(most, blocks.nelems - first)));
}

}  // namespace

constinit const AlltoallAlgorithm alltoall_by::leaders{"leaders", run, any_bytes, any_members, Nodes::many};

}  // namespace atrium
