// alltoall by Bruck's algorithm: leaders pass small blocks on, so that each sends as many messages as the number of nodes has bits, or
// several of a node share fewer rounds.
// SPDX-License-Identifier: BSD-3-Clause
//
// Each block travels up to that many times: worth it while a message costs about the same whatever it carries. What does not fit goes in
// parts, as long as that takes less than `leaders`, to which larger blocks go (bruck_plan.hpp).
#include "coll/steps/bruck.hpp"

#include "coll/alltoall/alltoall.hpp"
#include "coll/alltoall/bruck_plan.hpp"
#include "coll/alltoall/node_blocks.hpp"
#include "coll/alltoall/ways.hpp"

namespace atrium {
namespace {

struct BytesBetween {
  size_t operator()(int from, int to) const {
    return static_cast<size_t>(nodes.members_on(from)) * static_cast<size_t>(nodes.members_on(to)) * block;
  }
  const TeamNodes& nodes;
  size_t block;
};

void exchange(Team& team, const AlltoallBlocks& blocks) {
  TeamNodes& nodes = *team.nodes;
  const int leaders = passing_leaders(nodes);
  Bruck bruck(nodes, leaders, BytesBetween{nodes, blocks.bytes()});
  SharedSync sync(nodes, leaders);
  SharedExchange exchange(team, 1);
  if (sync.leads()) {
    sync.await_all();
    bruck.run(nodes.node.me, sync, exchange,
              [&](int to, std::byte* place) { pack_node(nodes, blocks, to, place); });
    sync.release();
  } else {
    sync.arrive_and_wait();
    bruck.follow(exchange.half());
  }
  for (int distance = 0; distance < nodes.count(); ++distance)
    unpack_node(nodes, blocks, bruck.source_of(distance), exchange.area() + bruck.place_of(distance));
}

// Instead of `leaders` and what follows it. In one round several leaders do the same there, and need not wait for each other before the
// next part. On many nodes what goes in a record does not go to each node, whatever a message costs: each node would be connected with all.
bool is_worth(const TeamNodes& nodes, const AlltoallBlocks& blocks, const BruckPlan& plan) {
  if (plan.parts >= endless_parts) return false;
  if (plan.parts == 1 && alltoall_family.is_forced(alltoall_by::bruck)) return true;
  const bool by_several = nodes.leader_count() > 1 && !is_oversubscribed();
  if (by_several && SpreadRounds::rounds(nodes, passing_leaders(nodes)) == 1) return false;
  constexpr int many_nodes = 12;
  if (!job_is(costly_messages) && nodes.count() > many_nodes && plan.parts == 1 && plan.long_rounds == 0)
    return true;
  return plan.cost < best_leaders_plan(nodes, blocks).cost && plan.cost <= cost_of_all(nodes, blocks);
}

void run(Team& team, const AlltoallBlocks& blocks) {
  const BruckPlan plan = best_bruck_plan(*team.nodes, blocks);
  if (!is_worth(*team.nodes, blocks, plan))
    return alltoall_family
        .hand_over(alltoall_by::bruck, alltoall_by::leaders, "the blocks are too large for a few messages")
        .run(team, blocks);
  exchange_in_parts(blocks, plan.elements, [&](const AlltoallBlocks& part) { exchange(team, part); });
}

}  // namespace

constinit const AlltoallAlgorithm alltoall_by::bruck{"bruck", run, any_bytes, any_members, ServedNodes::many};

}  // namespace atrium
