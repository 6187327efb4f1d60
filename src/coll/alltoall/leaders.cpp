// alltoall by leaders: of small blocks one message goes from each node to each other one, or a few.
// SPDX-License-Identifier: BSD-3-Clause
//
//   area of a node's first leader:  | what node 0 has for mine (node_blocks.hpp) | gap | node 1 | ...
//
// One leader packs the blocks of all its neighbours, also those for its own node, and neighbours unpack theirs. The part of the area
// for its own node is written by no other leader, so it packs the blocks for each other node there before it sends them. Where messages
// cost much and a node has several leaders, they share the messages (coll/steps/shared_exchange.hpp). Meanwhile each member copies what
// its neighbours have for it. Each node gets as much space as the largest one needs, so there is a gap where a node is smaller. Blocks
// that do not fit are exchanged in parts; or straight into the dests, where that takes fewer messages (ways.hpp).
#include <memory>

#include "coll/alltoall/alltoall.hpp"
#include "coll/alltoall/node_blocks.hpp"
#include "coll/alltoall/ways.hpp"
#include "coll/steps/shared_exchange.hpp"

namespace atrium {
namespace {

// Where what comes from that node begins in an area.
size_t place_of_node(const TeamNodes& nodes, int node, const AlltoallBlocks& blocks) {
  return static_cast<size_t>(nodes.first[static_cast<size_t>(node)]) *
         static_cast<size_t>(nodes.most_members()) * blocks.bytes();
}

void exchange_blocks(TeamNodes& nodes, const AlltoallBlocks& blocks, LeaderExchange& exchange) {
  const size_t place = place_of_node(nodes, nodes.me, blocks);
  std::byte* const packed = exchange.area() + place;
  for (int step = 1; step < nodes.count(); ++step) {
    const int to = nodes.after(step);
    const size_t bytes = pack_node(nodes, blocks, to, packed);
    exchange.send(to, place, packed, bytes);
  }
  pack_node(nodes, blocks, nodes.me, packed);
  for (int step = 1; step < nodes.count(); ++step) exchange.await_from(nodes.after(step));
}

void unpack_others(const TeamNodes& nodes, const AlltoallBlocks& blocks, int half) {
  for (int step = 1; step < nodes.count(); ++step) {
    const int node = nodes.after(step);
    unpack_node(nodes, blocks, node, nodes.area_of_node(half) + place_of_node(nodes, node, blocks));
  }
}

void exchange_alone(TeamNodes& nodes, const AlltoallBlocks& blocks) {
  const int half =
      exchange_at_leader(nodes, [&](LeaderExchange& exchange) { exchange_blocks(nodes, blocks, exchange); });
  unpack_others(nodes, blocks, half);
  unpack_node(nodes, blocks, nodes.me, nodes.area_of_node(half) + place_of_node(nodes, nodes.me, blocks));
}

// A slice are the blocks of some members of a node, of one after the other.
struct MembersSlice {
  MembersSlice(int members, int which, int slices)
      : first(members * which / slices), count(members * (which + 1) / slices - first) {}
  int first, count;
};

void send_through_areas(const TeamNodes& nodes, const AlltoallBlocks& blocks, const MembersSlice& mine,
                        SharedExchange& exchange) {
  const auto packed = std::make_unique_for_overwrite<std::byte[]>(
      static_cast<size_t>(mine.count * nodes.most_members()) * blocks.bytes());
  exchange.for_each_target([&](int to) {
    const size_t begins = static_cast<size_t>(mine.first * nodes.members_on(to)) * blocks.bytes();
    const size_t bytes = pack_members(nodes, blocks, to, mine.first, mine.count, packed.get());
    exchange.send(to, place_of_node(nodes, nodes.me, blocks) + begins, packed.get(), bytes);
  });
}

// Each block into the dest where it belongs. Those for one node go in as few messages as carry them.
void send_straight(const TeamNodes& nodes, const AlltoallBlocks& blocks, const MembersSlice& mine,
                   SharedExchange& exchange) {
  const auto here = nodes.members.pes_here();
  exchange.for_each_target([&](int to) {
    const auto there = nodes.members.pes_of(to);
    const int records = mine.count * nodes.members_on(to);
    for (int i = 0; i < records; ++i) {
      const auto from = static_cast<size_t>(mine.first + i / nodes.members_on(to));
      const int member = there[static_cast<size_t>(i % nodes.members_on(to))];
      exchange.put(to, member, blocks.dest_block(here[from]),
                   nodes.node.there(blocks.source_block(member), static_cast<int>(from)), blocks.bytes(),
                   i + 1 == records);
    }
  });
}

void exchange_shared(Team& team, const AlltoallBlocks& blocks, const LeadersPlan& plan) {
  TeamNodes& nodes = *team.nodes;
  SharedExchange exchange(team, plan.slices);
  if (exchange.leads()) {
    const MembersSlice mine(nodes.node.size, exchange.my_slice(), plan.slices);
    (plan.is_straight ? send_straight : send_through_areas)(nodes, blocks, mine, exchange);
  }
  copy_from_neighbours(nodes, blocks);
  if (exchange.leads()) exchange.for_each_source([&](int from) { exchange.await_from(from); });
  exchange.end();
  if (!plan.is_straight) unpack_others(nodes, blocks, exchange.half());
}

bool is_worth(const TeamNodes& nodes, const AlltoallBlocks& blocks, const LeadersPlan& plan) {
  if (plan.elements == 0) return false;
  return !job_is(costly_messages) || alltoall_family.is_forced(alltoall_by::leaders) ||
         plan.posts <= posts_of_all(nodes, blocks);
}

void run(Team& team, const AlltoallBlocks& blocks) {
  TeamNodes& nodes = *team.nodes;
  const LeadersPlan plan = best_leaders_plan(nodes, blocks);
  if (!is_worth(nodes, blocks, plan)) {
    const bool transposes = is_worth_transposing(nodes, blocks);
    return alltoall_family
        .hand_over(alltoall_by::leaders, transposes ? alltoall_by::transpose : alltoall_by::put,
                   "the blocks are too large for a few messages")
        .run(team, blocks);
  }
  exchange_in_parts(blocks, plan.elements, [&](const AlltoallBlocks& part) {
    plan.slices == 0 ? exchange_alone(nodes, part) : exchange_shared(team, part, plan);
  });
}

}  // namespace

constinit const AlltoallAlgorithm alltoall_by::leaders{"leaders", run, any_bytes, any_members,
                                                       ServedNodes::many};

}  // namespace atrium
