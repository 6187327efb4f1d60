// What each way of an alltoall between nodes takes, and which is worth it.
// SPDX-License-Identifier: BSD-3-Clause
//
// Where messages cost much, as over TCP, the ways are compared by what they cost the CPU that does most, in *posts*: what it takes to
// send a message, or to receive one. The time on the way is half a post, and 10 KiB take as long as a post. Elsewhere by their time in ns.
// ./atrium sim says what they take (docs/measurements/scale.md), sim/cliffs.py that nothing jumps where one way follows another.
#pragma once

#include <algorithm>

#include "coll/alltoall/node_blocks.hpp"
#include "coll/select/family.hpp"

namespace atrium {

// The exchanges of leaders: `elements` of each block at once, and what a node has for another in so many slices, by all leaders; without
// slices, by the first one alone. *Straight*: blocks go as records to the dests where they belong, and nothing has to fit in an area; in
// so many rounds, of a message each.
struct LeadersPlan {
  size_t elements = 0, slices = 0;
  bool is_straight = false;
  size_t rounds = 1;
  size_t cost = SIZE_MAX;
};

namespace detail {

inline size_t divided(size_t all, size_t by) { return (all + by - 1) / by; }
inline size_t others(const TeamNodes& nodes) { return static_cast<size_t>(nodes.count()) - 1; }
// Of most nodes: a few larger ones take more messages, or longer ones.
inline size_t usual_members(const TeamNodes& nodes) {
  return std::max<size_t>(static_cast<size_t>(nodes.first.back() / nodes.count()), 1);
}
inline size_t rounds(const TeamNodes& nodes) { return static_cast<size_t>(rounds_of(nodes.count())); }

constexpr size_t bytes_of_a_post = 10240;

// What the largest node sends to all others, with so many bytes for each block.
inline size_t bytes_sent(const TeamNodes& nodes, size_t bytes) {
  return others(nodes) * static_cast<size_t>(nodes.most_members()) * usual_members(nodes) * bytes;
}
inline size_t posts_of_bytes(const TeamNodes& nodes, size_t bytes) {
  return bytes_sent(nodes, bytes) / bytes_of_a_post;
}

// Other nodes to which a leader sends, if each slice goes by leaders of its own.
inline size_t targets(const TeamNodes& nodes, size_t slices) {
  return divided(others(nodes), static_cast<size_t>(nodes.leader_count()) / slices);
}

// The blocks of a slice, at most: of what the two largest nodes have for each other.
inline size_t blocks_of_slice(const TeamNodes& nodes, size_t slices) {
  return divided(nodes.most_pairs(), slices);
}

// Through areas, in so many slices of a record each. What a leader has sent is on its way while it goes on sending and receiving.
inline LeadersPlan through_areas(const TeamNodes& nodes, const AlltoallBlocks& blocks, size_t slices) {
  LeadersPlan plan{std::min(most_in_a_record / blocks_of_slice(nodes, slices) / blocks.element,
                            elements_in_area(nodes, blocks.element)),
                   nodes.leader_count() > 1 ? slices : 0};
  if (plan.elements == 0) return plan;
  const size_t parts = parts_of(blocks.nelems, plan.elements);
  plan.cost =
      parts + std::max(parts * 2 * targets(nodes, slices), posts_of_bytes(nodes, blocks.bytes()) + 2 * parts);
  return plan;
}

// The records of a block that goes straight to its dest: each with a flag, and so short that four fill a message of which little is
// left over. What two nodes have for each other goes in equal messages, usual nodes and the largest one. More would not be one message,
// and of several in a row each third one asks for an answer.
struct StraightRecords {
  size_t of_block, bytes, in_message;
};
constexpr size_t beside_a_record = 40;
inline StraightRecords records_of(const TeamNodes& nodes, const AlltoallBlocks& blocks, size_t slices) {
  constexpr size_t in_a_message = 8400, word = 8, longest = 2056;
  const size_t of_block = divided(blocks.bytes(), longest),
               bytes = divided(divided(blocks.bytes(), of_block), word) * word,
               most = in_a_message / (bytes + beside_a_record);
  const auto equally = [&](size_t members) {
    const size_t all = divided(members * usual_members(nodes) * of_block, slices);
    return divided(all, divided(all, most));
  };
  return {of_block, bytes,
          std::max(equally(usual_members(nodes)), equally(static_cast<size_t>(nodes.most_members())))};
}

// Each record costs a thirtieth of a post beside its message. At the end of a round a leader waits for the others, unless bytes take
// longer anyway; one that sends to one node alone waits longer ([simulated]).
inline LeadersPlan straight(const TeamNodes& nodes, const AlltoallBlocks& blocks, size_t slices) {
  constexpr size_t records_of_a_post = 30;
  const StraightRecords record = records_of(nodes, blocks, slices);
  const size_t usual = static_cast<size_t>(nodes.most_members()) * usual_members(nodes),
               records = divided(usual * record.of_block, slices), to = targets(nodes, slices);
  LeadersPlan plan{blocks.nelems, slices, true,
                   divided(blocks_of_slice(nodes, slices) * record.of_block, record.in_message)};
  const size_t messages = to * (2 * divided(records, record.in_message) + records / records_of_a_post),
               bytes = posts_of_bytes(nodes, record.of_block * (record.bytes + beside_a_record));
  plan.cost = to > 1 ? 1 + std::max(messages + 3 * (plan.rounds - 1), bytes)
                     : 4 + std::max(messages + plan.rounds / 2, bytes);
  return plan;
}

}  // namespace detail

// Members are numbered node after node, and no node has more than twice as many as another: the rest of a larger one puts.
inline bool can_transpose(const TeamNodes& nodes) {
  return nodes.in_order() && nodes.most_members() <= 2 * nodes.most_leaders();
}

// Instead of each PE's puts, and of more than a few exchanges of leaders (coll/alltoall/transpose.cpp): three copies for each two blocks
// and two more syncs cost less than a message for each member of the other nodes, unless blocks are large or nodes few ([simulated]).
// With gaps each element is a record either way, and leaders, which pack it, gain more.
inline bool is_worth_transposing(const TeamNodes& nodes, const AlltoallBlocks& blocks) {
  if (!blocks.are_contiguous() || !can_transpose(nodes)) return false;
  if (job_is(costly_messages))
    return blocks.bytes() <= 8192 &&
           (nodes.most_members() > 2 || (nodes.most_members() == 2 && nodes.count() > 5));
  constexpr int many_members = 4, few_nodes = 4;
  return nodes.most_members() >= many_members && blocks.bytes() <= 512 && nodes.count() > few_nodes;
}

namespace detail {

// Without leaders: each PE transposes, or puts, as those PEs of a larger node do that have no counterpart. Each message is acknowledged
// before the barrier at the end. PEs without an endpoint send through those that have one.
inline size_t posts_of_all(const TeamNodes& nodes, const AlltoallBlocks& blocks) {
  constexpr size_t endpoints = 4;
  const bool transposes = is_worth_transposing(nodes, blocks);
  const auto most = static_cast<size_t>(nodes.most_members());
  const size_t usual = usual_members(nodes), transposing = transposes ? usual : 0;
  const bool by_records = usual * blocks.bytes() <= most_in_a_record;
  const size_t start = 3, barrier = 5 * rounds(nodes) / 2;
  const size_t messages = others(nodes) * (divided(transposing, endpoints) * (by_records ? 4 : 5) +
                                           divided(most - transposing, endpoints) * (3 + most)),
               bytes = posts_of_bytes(nodes, blocks.bytes());
  return start + (transposes ? 2 : 1) * barrier + std::max(messages, bytes) + std::min(messages, bytes) / 2;
}

// Where messages cost little, times are compared, in ns ([simulated]). A leader that sends to few nodes waits for the last one to arrive;
// one that sends to many sends and receives all the time. It gathers blocks, of which each byte is copied twice, and more of them than go
// in a record take a second message, which is awaited.
inline size_t time_of_leaders(const TeamNodes& nodes, const AlltoallBlocks& blocks, size_t to,
                              size_t exchanges, size_t messages) {
  const size_t sends = messages * to,
               gathered = to * static_cast<size_t>(nodes.most_members()) * usual_members(nodes);
  return exchanges * (std::max(700 + 300 * messages + 240 * sends, 430 * sends) + gathered * 6) +
         gathered * blocks.bytes() * 4 / 25;
}

// Each PE puts what it has, a message for each member of the other nodes, or for each of its elements if there are gaps between them.
inline size_t time_of_puts(const TeamNodes& nodes, const AlltoallBlocks& blocks) {
  const size_t to_members = std::min<size_t>(450 + 410 * static_cast<size_t>(nodes.most_members()), 4000),
               sends = others(nodes) * to_members * (blocks.are_contiguous() ? 1 : blocks.nelems),
               bytes = bytes_sent(nodes, blocks.bytes()) / 50;
  return 3000 + std::max(sends, bytes) + std::min(sends, bytes) / 2;
}

inline size_t time_of_transposing(const TeamNodes& nodes, const AlltoallBlocks& blocks) {
  const auto most = static_cast<size_t>(nodes.most_members()), count = static_cast<size_t>(nodes.count());
  return 3500 + count * std::min<size_t>(350 + 185 * most, 2000) + bytes_sent(nodes, blocks.bytes()) / 50;
}

// What is more than a record takes two messages: where areas hold little more than that, more exchanges by records send less. How
// many messages the exchanges by areas take is a question of most nodes, and not of a few larger ones.
inline LeadersPlan plan_where_messages_cost_little(const TeamNodes& nodes, const AlltoallBlocks& blocks) {
  const auto most = static_cast<size_t>(nodes.most_members()), usual = usual_members(nodes);
  const bool by_several = nodes.leader_count() > 1 && nodes.count() > 2 && !is_oversubscribed();
  LeadersPlan best{0, by_several ? size_t{1} : 0};
  for (const size_t fits :
       {elements_in_area(nodes, blocks.element), most_in_a_record / (most * most) / blocks.element}) {
    const size_t parts = parts_of(blocks.nelems, fits);
    if (parts >= endless_parts || fits > elements_in_area(nodes, blocks.element)) continue;
    const bool is_long = usual * usual * parts_of(blocks.nelems, parts) * blocks.element > most_in_a_record;
    const size_t to = by_several ? targets(nodes, 1) : others(nodes),
                 cost = time_of_leaders(nodes, blocks, to, parts, is_long ? 2 : 1);
    if (cost < best.cost) best.elements = fits, best.cost = cost;
  }
  return best;
}

}  // namespace detail

// What it takes without leaders. Its many messages take a little longer now and then.
inline size_t cost_of_all(const TeamNodes& nodes, const AlltoallBlocks& blocks) {
  if (job_is(costly_messages)) return detail::posts_of_all(nodes, blocks);
  const size_t time = is_worth_transposing(nodes, blocks) ? detail::time_of_transposing(nodes, blocks)
                                                          : detail::time_of_puts(nodes, blocks);
  return time * 9 / 8;
}

// Of no elements where none is possible.
inline LeadersPlan best_leaders_plan(const TeamNodes& nodes, const AlltoallBlocks& blocks) {
  if (!job_is(costly_messages)) return detail::plan_where_messages_cost_little(nodes, blocks);
  LeadersPlan best;
  const auto take = [&](const LeadersPlan& plan) {
    const bool is_shorter = plan.cost == best.cost && plan.rounds < best.rounds;
    if (plan.cost < best.cost || is_shorter) best = plan;
  };
  const bool may_be_straight = blocks.are_contiguous() && blocks.bytes() <= most_in_a_record;
  for (size_t slices = 1; slices <= static_cast<size_t>(nodes.leader_count()); ++slices) {
    take(detail::through_areas(nodes, blocks, slices));
    if (may_be_straight) take(detail::straight(nodes, blocks, slices));
  }
  return best;
}

}  // namespace atrium
