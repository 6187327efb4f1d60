// alltoall by leaders: of small blocks one message goes from each node to each other one.
// SPDX-License-Identifier: BSD-3-Clause
//
//   area of a leader:  | what node 0 has for mine (node_blocks.hpp) | gap | node 1 | ...
//
// Each leader packs the blocks of all its neighbours, also those for its own node, and neighbours unpack theirs. The part of the area
// for its own node is written by no other leader, so it packs the blocks for each other node there before it sends them. Each node
// gets as much space as the largest one needs, so there is a gap where a node is smaller. If the blocks of large nodes do not fit,
// they are exchanged in two parts.
#include <algorithm>

#include "coll/alltoall/alltoall.hpp"
#include "coll/alltoall/node_blocks.hpp"

namespace atrium {
namespace {

// Where what comes from that node begins in an area.
size_t place_of_node(const TeamNodes& nodes, int node, int most_members, const AlltoallBlocks& blocks) {
  return static_cast<size_t>(nodes.first[static_cast<size_t>(node)]) * static_cast<size_t>(most_members) *
         blocks.bytes();
}

void exchange_blocks(TeamNodes& nodes, const AlltoallBlocks& blocks, LeaderExchange& exchange) {
  const size_t place = place_of_node(nodes, nodes.me, nodes.most_members(), blocks);
  std::byte* const packed = exchange.area() + place;
  for (int step = 1; step < nodes.count(); ++step) {
    const int to = nodes.after(step);
    const size_t bytes = pack_node(nodes, blocks, to, packed);
    exchange.send(to, place, packed, bytes);
  }
  pack_node(nodes, blocks, nodes.me, packed);
  for (int step = 1; step < nodes.count(); ++step) exchange.await_from(nodes.after(step));
}

void exchange_in_area(Team& team, const AlltoallBlocks& blocks) {
  TeamNodes& nodes = *team.nodes;
  const int most = nodes.most_members();
  const int half =
      exchange_at_leader(nodes, [&](LeaderExchange& exchange) { exchange_blocks(nodes, blocks, exchange); });
  const std::byte* area = nodes.area_of_node(half);
  for (int node = 0; node < nodes.count(); ++node)
    unpack_node(nodes, blocks, node, area + place_of_node(nodes, node, most, blocks));
}

// What is more than a record takes two messages: where areas hold little more than that, more exchanges by records send less. How
// many messages the exchanges by areas take is a question of most nodes, and not of a few larger ones.
size_t elements_at_once(const TeamNodes& nodes, const AlltoallBlocks& blocks) {
  const auto most = static_cast<size_t>(nodes.most_members()),
             usual = static_cast<size_t>(nodes.first.back() / nodes.count());
  const size_t in_area = elements_in_area(nodes, blocks.element),
               in_record = most_in_a_record / (most * most) / blocks.element;
  const size_t parts = parts_of(blocks.nelems, in_area), each = parts_of(blocks.nelems, parts);
  const size_t messages = usual * usual * each * blocks.element > most_in_a_record ? 2 * parts : parts;
  return in_record < in_area && parts_of(blocks.nelems, in_record) < messages ? in_record : in_area;
}

void run(Team& team, const AlltoallBlocks& blocks) {
  const size_t in_area = elements_in_area(*team.nodes, blocks.element);
  if (parts_of(blocks.nelems, in_area) > exchanges_worth(*team.nodes, blocks)) {
    const bool transposes = is_worth_transposing(*team.nodes, blocks);
    return alltoall_family
        .hand_over(alltoall_by::leaders, transposes ? alltoall_by::transpose : alltoall_by::put,
                   "the blocks are too large for a few messages")
        .run(team, blocks);
  }
  exchange_in_parts(blocks, elements_at_once(*team.nodes, blocks),
                    [&](const AlltoallBlocks& part) { exchange_in_area(team, part); });
}

}  // namespace

constinit const AlltoallAlgorithm alltoall_by::leaders{"leaders", run, any_bytes, any_members,
                                                       ServedNodes::many};

}  // namespace atrium
