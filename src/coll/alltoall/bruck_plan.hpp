// How an alltoall goes by Bruck's algorithm: by how many leaders, in how many parts, and what that takes.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>

#include "coll/alltoall/ways.hpp"
#include "coll/steps/bruck.hpp"
#include "coll/steps/spread.hpp"

namespace atrium {

// How many leaders of a node pass blocks on: of those numbers with the least rounds, the one with the shortest messages.
inline int passing_leaders(const TeamNodes& nodes) {
  if (nodes.passing_leaders > 0) return nodes.passing_leaders;
  const int least = spreading_leaders(nodes), most = least > 1 ? nodes.leader_count() : 1;
  int best = least;
  for (int leaders = least + 1; leaders <= most; ++leaders)
    if (BruckMessages(nodes, leaders).most_distances() < BruckMessages(nodes, best).most_distances())
      best = leaders;
  return nodes.passing_leaders = best;
}

namespace detail {

// The members of so many nodes, at most.
inline size_t most_members_on(const TeamNodes& nodes, size_t count) {
  const auto fewest = static_cast<size_t>(nodes.most_leaders()),
             all = static_cast<size_t>(nodes.first.back());
  return std::min(count * static_cast<size_t>(nodes.most_members()),
                  all - (static_cast<size_t>(nodes.count()) - count) * fewest);
}

// How many bytes of each member's block fit in each message, at most. In a round of reach r it carries what r nodes have for those that
// lie a leader's distance behind each of them, or some periods more; of fewer nodes, if there are no more that far in front. And no more
// than for all its distances. Where messages are made a node leaves what its members have for each other.
inline size_t bytes_that_fit(const TeamNodes& nodes, int leaders, const BruckMessages& messages) {
  const auto count = static_cast<size_t>(nodes.count()), most = static_cast<size_t>(nodes.most_members());
  size_t bytes = messages.longest() / (most * most), message = 0;
  for_each_message(nodes, leaders, [&](const SpreadRounds& round, int leader) {
    const auto first = static_cast<size_t>(round.distance(leader)),
               sources = std::min(static_cast<size_t>(round.reach()), count - first),
               targets = divided(count - first, static_cast<size_t>(round.distance(leaders)));
    const size_t distances = messages.distances(message++),
                 blocks = std::min(most_members_on(nodes, sources) * most_members_on(nodes, targets),
                                   distances * nodes.most_pairs());
    bytes = std::min(bytes, distances * messages.bytes_of_distance() / blocks);
  });
  return bytes;
}

}  // namespace detail

// So many elements of each block at once, in so many parts, of whose rounds so many have a message of more than a record.
struct BruckPlan {
  size_t elements = 0, parts = endless_parts, long_rounds = 0;
  size_t cost = SIZE_MAX;
};

namespace detail {

// What the first leader sends in all rounds, whose messages are the longest, if those of a distance take so many bytes.
struct LongestMessages {
  size_t rounds = 0, long_rounds = 0;  // long: with more than a record
  size_t distances = 0;                // in all messages together
};
inline LongestMessages longest_messages(const TeamNodes& nodes, int leaders, size_t bytes_of_distance) {
  LongestMessages all;
  for (SpreadRounds round(nodes, leaders, 0); !round.is_over(); round.next_round()) {
    const size_t distances = count_distances(nodes, round, 0, leaders);
    ++all.rounds;
    if (distances * bytes_of_distance > most_in_a_record) ++all.long_rounds;
    all.distances += distances;
  }
  return all;
}

// In parts of so many elements. In each round k leaders send on k of k + 1 blocks. Where messages cost much, one that is awaited takes two
// and a half posts, and a post more if it is more than a record, and a block, wherever it lies, as long as 25 bytes on the way;
// elsewhere 1.25 us, or half as much again, and 5.5 ns (all: [simulated]).
inline BruckPlan bruck_plan(const TeamNodes& nodes, const AlltoallBlocks& blocks, int number,
                            size_t elements) {
  if (elements == 0) return {};
  const size_t parts = parts_of(blocks.nelems, elements), usual = usual_members(nodes),
               of_distance = static_cast<size_t>(nodes.most_members()) * usual;
  const LongestMessages messages =
      longest_messages(nodes, number, of_distance * blocks.element * parts_of(blocks.nelems, parts));
  BruckPlan plan{elements, parts, messages.long_rounds};
  if (job_is(costly_messages)) {
    const size_t leaders = static_cast<size_t>(number),
                 on_the_way = messages.rounds * leaders * bytes_sent(nodes, blocks.bytes()) / (leaders + 1),
                 part = (5 * messages.rounds + 2 * messages.long_rounds) * bytes_of_a_post / 2 +
                        messages.distances * of_distance * 25;
    plan.cost = divided(parts * part + on_the_way, bytes_of_a_post);
  } else {
    const size_t part =
        1250 * messages.rounds + 600 * messages.long_rounds + messages.distances * of_distance * 11 / 2;
    plan.cost = parts * part + messages.distances * usual * usual * blocks.bytes() * 19 / 100;
  }
  return plan;
}

}  // namespace detail

// The best of two: messages of a record of most nodes, and of as much as fits.
inline BruckPlan best_bruck_plan(const TeamNodes& nodes, const AlltoallBlocks& blocks) {
  const int leaders = passing_leaders(nodes);
  const BruckMessages messages(nodes, leaders);
  const size_t usual = detail::usual_members(nodes), distances = messages.most_distances(),
               fits = detail::bytes_that_fit(nodes, leaders, messages) / blocks.element,
               in_a_record = most_in_a_record / (distances * usual * usual) / blocks.element;
  const auto plan = [&](size_t elements) { return detail::bruck_plan(nodes, blocks, leaders, elements); };
  const BruckPlan by_records = plan(std::min(fits, in_a_record)), by_more = plan(fits);
  return by_more.cost < by_records.cost ? by_more : by_records;
}

}  // namespace atrium
