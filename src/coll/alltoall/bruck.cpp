// alltoall by Bruck's algorithm: leaders pass small blocks on, so that each sends as many messages as the number of nodes has bits.
// SPDX-License-Identifier: BSD-3-Clause
//
// Each block travels up to that many times: worth it while a message costs the same whatever it carries. What is more than a
// record in a round is exchanged in parts, as long as that takes less than `leaders`, to which larger blocks go.
#include "coll/steps/bruck.hpp"

#include <algorithm>

#include "coll/alltoall/alltoall.hpp"
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
using BlocksByBruck = Bruck<BytesBetween>;

// The members of so many nodes, at most.
size_t most_members_on(const TeamNodes& nodes, size_t count) {
  const auto fewest = static_cast<size_t>(nodes.most_leaders()),
             all = static_cast<size_t>(nodes.first.back());
  return std::min(count * static_cast<size_t>(nodes.most_members()),
                  all - (static_cast<size_t>(nodes.count()) - count) * fewest);
}

// The members' blocks in a message, at most. In a round of step s it carries what s nodes have for those that lie s, 3 s, 5 s, ...
// behind each of them, but not more than half of the distances there are.
size_t most_blocks_in_a_message(const TeamNodes& nodes) {
  const auto count = static_cast<size_t>(nodes.count()), half = count / 2,
             most = static_cast<size_t>(nodes.most_members());
  size_t blocks = 0;
  for (size_t step = 1; step < count; step *= 2) {
    const size_t targets = (count - 1 + step) / (2 * step);
    blocks = std::max(
        blocks, std::min(most_members_on(nodes, step) * most_members_on(nodes, targets), half * most * most));
  }
  return blocks;
}

// How many elements of each block fit in the buffers, if what most nodes send is no more than a record.
size_t elements_that_fit(const TeamNodes& nodes, size_t element) {
  const auto usual = detail::usual_members(nodes), half = static_cast<size_t>(nodes.count()) / 2;
  return std::min(BlocksByBruck::buffer_bytes(nodes) / most_blocks_in_a_message(nodes),
                  most_in_a_record / (half * usual * usual)) /
         element;
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

// Instead of `leaders` and what follows it. Where messages cost little one part is up to the rules, and of several each round, which
// waits for a message, takes three times as long as sending one (./atrium sim, docs/measurements/collectives.md).
bool is_worth(const TeamNodes& nodes, const AlltoallBlocks& blocks, size_t parts) {
  if (parts >= endless_parts) return false;
  if (parts == 1 && alltoall_family.is_forced(alltoall_by::bruck)) return true;
  if (job_is(costly_messages)) {
    const size_t posts = posts_of_bruck(nodes, blocks, parts);
    return posts < best_leaders_plan(nodes, blocks).posts && posts <= posts_of_all(nodes, blocks);
  }
  if (parts == 1) return true;
  const size_t exchanges = parts_of(blocks.nelems, elements_in_area(nodes, blocks.element));
  if (exchanges > exchanges_worth(nodes, blocks)) return false;
  constexpr size_t sends_of_a_round = 3;
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
