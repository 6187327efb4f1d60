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

// So many elements of each block at once, in so many parts; whether a message is more than a record.
struct BruckPlan {
  size_t elements = 0, parts = endless_parts;
  bool is_long = false;
  size_t cost = SIZE_MAX;
};

namespace detail {

// In parts of so many elements. In each round k leaders send on k of k + 1 blocks. Where messages cost much, one that is awaited takes two
// and a half posts, and one more if it is more than a record, and a block, wherever it lies, as long as 43 bytes on the way; elsewhere
// 1.25 us, or half as much again, and 5.5 ns (all: [simulated]).
inline BruckPlan bruck_plan(const TeamNodes& nodes, const AlltoallBlocks& blocks, int number,
                            size_t distances, size_t elements) {
  if (elements == 0) return {};
  const size_t parts = parts_of(blocks.nelems, elements), leaders = static_cast<size_t>(number),
               rounds = static_cast<size_t>(SpreadRounds::rounds(nodes, number)),
               usual = usual_members(nodes),
               in_message = distances * static_cast<size_t>(nodes.most_members()) * usual;
  const bool is_long = in_message * blocks.element * parts_of(blocks.nelems, parts) > most_in_a_record;
  if (!job_is(costly_messages)) {
    const size_t part = (is_long ? 1850 : 1250) + in_message * 11 / 2;
    return {elements, parts, is_long,
            rounds * (parts * part + distances * usual * usual * blocks.bytes() * 19 / 100)};
  }
  const size_t on_the_way = leaders * bytes_sent(nodes, blocks.bytes()) / (leaders + 1),
               part = (is_long ? 7 : 5) * bytes_of_a_post / 2 + in_message * 43;
  return {elements, parts, is_long, divided(rounds * (parts * part + on_the_way), bytes_of_a_post)};
}

}  // namespace detail

// The best of two: messages of a record of most nodes, and of as much as fits.
inline BruckPlan best_bruck_plan(const TeamNodes& nodes, const AlltoallBlocks& blocks) {
  const int leaders = passing_leaders(nodes);
  const BruckMessages messages(nodes, leaders);
  const size_t usual = detail::usual_members(nodes), distances = messages.most_distances(),
               fits = detail::bytes_that_fit(nodes, leaders, messages) / blocks.element,
               in_a_record = most_in_a_record / (distances * usual * usual) / blocks.element;
  const auto plan = [&](size_t elements) {
    return detail::bruck_plan(nodes, blocks, leaders, distances, elements);
  };
  const BruckPlan by_records = plan(std::min(fits, in_a_record)), by_more = plan(fits);
  return by_more.cost < by_records.cost ? by_more : by_records;
}

}  // namespace atrium
