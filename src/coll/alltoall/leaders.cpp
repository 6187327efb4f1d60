// alltoall by leaders: of small blocks one message goes from each node to each other one, or a few.
// SPDX-License-Identifier: BSD-3-Clause
//
//   area of a node's first leader:  | what node 0 has for mine (node_blocks.hpp) | gap | node 1 | ...
//
// One leader packs the blocks of all its neighbours, also those for its own node, and neighbours unpack theirs. The part of the area
// for its own node is written by no other leader, so it packs the blocks for each other node there before it sends them. Where a node
// has several leaders with CPUs of their own, they share the messages (coll/steps/shared_exchange.hpp). Meanwhile each member copies what
// its neighbours have for it. Each node gets as much space as the largest one needs, so there is a gap where a node is smaller. Blocks
// that do not fit are exchanged in parts; or straight into the dests, where that takes fewer messages (ways.hpp).
#include <memory>

#include "coll/alltoall/alltoall.hpp"
#include "coll/alltoall/node_blocks.hpp"
#include "coll/alltoall/ways.hpp"

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

void send_through_areas(const TeamNodes& nodes, const AlltoallBlocks& blocks, const LeadersPlan& plan,
                        SharedExchange& exchange) {
  const auto packed = std::make_unique_for_overwrite<std::byte[]>(
      detail::blocks_of_slice(nodes, plan.slices) * blocks.bytes());
  exchange.for_each_target([&](int to) {
    const Portion mine = exchange.slice_of(blocks_between(nodes, to));
    const size_t bytes = pack_blocks(nodes, blocks, to, mine, packed.get());
    exchange.send(to, place_of_node(nodes, nodes.me, blocks) + mine.first * blocks.bytes(), packed.get(),
                  bytes);
  });
}

void exchange_through_areas(Team& team, const AlltoallBlocks& blocks, const LeadersPlan& plan) {
  TeamNodes& nodes = *team.nodes;
  SharedExchange exchange(team, plan.slices);
  exchange.begin();
  if (exchange.leads()) send_through_areas(nodes, blocks, plan, exchange);
  copy_from_neighbours(nodes, blocks);
  if (exchange.leads()) exchange.for_each_source([&](int from) { exchange.await_from(from); });
  exchange.end();
  unpack_others(nodes, blocks, exchange.half());
}

// A leader's part in an exchange straight into dests.
class StraightExchange {
 public:
  StraightExchange(Team& team, const AlltoallBlocks& blocks, const LeadersPlan& plan)
      : nodes_(*team.nodes),
        blocks_(blocks),
        records_(detail::records_of(nodes_, blocks, plan.slices)),
        plan_(plan),
        exchange_(team, plan.slices, plan.rounds) {}

  void run() {
    exchange_.begin();
    for (size_t round = 0; exchange_.leads() && round < plan_.rounds; ++round) {
      if (round > 0) exchange_.next_round();
      exchange_.for_each_target([&](int to) { send(to, round); });
      if (round == 0) copy_from_neighbours(nodes_, blocks_);
      exchange_.for_each_source([&](int from) {
        if (message_between(from, round).count != 0) exchange_.await_from(from);
      });
    }
    if (!exchange_.leads()) copy_from_neighbours(nodes_, blocks_);
    exchange_.end();
  }

 private:
  // The records of a round's message that I send to that node, and receive from it.
  Portion message_between(int other, size_t round) const {
    return exchange_.slice_of(blocks_between(nodes_, other) * records_.of_block)
        .message(round, records_.in_message);
  }
  void send(int to, size_t round) {
    const Portion message = message_between(to, round);
    const auto there = nodes_.members.pes_of(to);
    for (size_t i = 0; i < message.count; ++i) {
      const size_t record = message.first + i, block = record / records_.of_block;
      put(to, block / there.size(), there[block % there.size()], record % records_.of_block * records_.bytes,
          i + 1 == message.count);
    }
  }
  // What a member of my node has for that one of node `to`, from byte `begin` of the block on.
  void put(int to, size_t from, int member, size_t begin, bool is_last) {
    exchange_.put(to, member, blocks_.dest_block(nodes_.members.pes_here()[from]) + begin,
                  nodes_.node.there(blocks_.source_block(member), static_cast<int>(from)) + begin,
                  std::min(records_.bytes, blocks_.bytes() - begin), is_last);
  }

  TeamNodes& nodes_;
  const AlltoallBlocks& blocks_;
  detail::StraightRecords records_;
  LeadersPlan plan_;
  SharedExchange exchange_;
};

void exchange_shared(Team& team, const AlltoallBlocks& blocks, const LeadersPlan& plan) {
  if (plan.is_straight)
    StraightExchange(team, blocks, plan).run();
  else
    exchange_through_areas(team, blocks, plan);
}

bool is_worth(const TeamNodes& nodes, const AlltoallBlocks& blocks, const LeadersPlan& plan) {
  if (plan.elements == 0) return false;
  return alltoall_family.is_forced(alltoall_by::leaders) || plan.cost <= cost_of_all(nodes, blocks);
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
