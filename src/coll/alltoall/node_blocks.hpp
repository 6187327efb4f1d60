// Between nodes: all blocks of one node's members for those of another, packed, and the sync at which a leader moves them.
// SPDX-License-Identifier: BSD-3-Clause
//
//   | block of member 0 for member 0, 1, ... of the other node | of member 1 | ... |
#pragma once

#include <algorithm>

#include "coll/alltoall/blocks.hpp"
#include "coll/steps/leaders.hpp"

namespace atrium {

// On the leader: what my node's members have for those of another. Returns its bytes.
inline size_t pack_node(const TeamNodes& nodes, const AlltoallBlocks& blocks, int to, std::byte* packed) {
  std::byte* place = packed;
  for (int from = 0; from < nodes.node.size; ++from) {
    for (int member : nodes.members.pes_of(to)) {
      pack_block(blocks, place, nodes.node.there(blocks.source_block(member), from));
      place += blocks.bytes();
    }
  }
  return static_cast<size_t>(place - packed);
}

// What the members of that node have for me.
inline void unpack_node(const TeamNodes& nodes, const AlltoallBlocks& blocks, int from,
                        const std::byte* packed) {
  packed += static_cast<size_t>(nodes.node.me) * blocks.bytes();
  for (int member : nodes.members.pes_of(from)) {
    unpack_block(blocks, blocks.dest_block(member), packed);
    packed += static_cast<size_t>(nodes.node.size) * blocks.bytes();
  }
}

// How many elements of each block fit in an area that holds what all nodes have for one.
inline size_t elements_in_area(const TeamNodes& nodes, size_t element) {
  return area_bytes / static_cast<size_t>(nodes.first.back()) / static_cast<size_t>(nodes.most_members()) /
         element;
}

constexpr size_t endless_parts = size_t{1} << 20;  // exchanges: more than any that are worth it

// In how many exchanges so many elements of each block go, of which one can take `most`; endless_parts where it can take none.
inline size_t parts_of(size_t elements, size_t most) {
  return most == 0 ? endless_parts : (elements + most - 1) / most;
}

constexpr int few_nodes = 4;

// Members are numbered node after node, and no node has more than twice as many as another: the rest of a larger one puts.
inline bool can_transpose(const TeamNodes& nodes) {
  return nodes.in_order() && nodes.most_members() <= 2 * nodes.most_leaders();
}

// Instead of each PE's puts, and of more than a few exchanges of leaders (coll/alltoall/transpose.cpp): three copies for each two blocks
// and two more syncs cost less than a message for each member of the other nodes, unless blocks are large or nodes few ([simulated]).
// With gaps each element is a record either way, and leaders, which pack it, gain more.
inline bool is_worth_transposing(const TeamNodes& nodes, const AlltoallBlocks& blocks) {
  constexpr int many_members = 4;
  if (nodes.most_members() < many_members || !blocks.are_contiguous() || !can_transpose(nodes)) return false;
  return job_is(costly_messages) ? blocks.bytes() <= 4096
                                 : blocks.bytes() <= 512 && nodes.count() > few_nodes;
}

// Where messages cost little, a leader's copies count, too: for each other node each member would send and receive as many messages as
// there are members, where the leader sends one and copies the square of that number of blocks, 20 of which take as long as a message
// ([simulated], docs/measurements/scale.md).
inline size_t exchanges_by_copies(size_t members) {
  constexpr size_t blocks_of_a_message = 20;
  return std::max<size_t>(2 * members * blocks_of_a_message / (blocks_of_a_message + members * members), 1);
}

// How many exchanges of leaders are worth it before PEs transpose, which is as fast as a few, or each PE puts. A few nodes, of
// fewer than four members where messages cost much, have so few pairs that their puts end sooner than a second exchange. Small
// blocks are worth more, since a put takes a message for each pair, and the more a message costs, the larger the blocks and the
// more exchanges. Of large nodes messages carry several blocks, so that more than 16 exchanges take longer.
inline size_t exchanges_worth(const TeamNodes& nodes, const AlltoallBlocks& blocks) {
  constexpr size_t most_exchanges = 16;
  const bool costly = job_is(costly_messages), are_few = nodes.count() <= few_nodes;
  const size_t small = costly ? 1024 : 512, exchanges_of_large = costly ? 4 : 2;
  const auto most = static_cast<size_t>(nodes.most_members());
  if (is_worth_transposing(nodes, blocks))
    return costly ? (are_few ? 2 : 4) : std::min<size_t>(exchanges_by_copies(most), 2);
  if (are_few && (most < 4 || !costly)) return 1;
  if (most < 4) return 2;
  if (blocks.bytes() > small) return exchanges_of_large;
  return costly ? std::min(2 * most, most_exchanges) : exchanges_by_copies(most);
}

// exchange(AlltoallBlocks) for each part of the blocks, all of one size: messages of half the length are done sooner than a full
// one and a short one.
template <class Exchange>
void exchange_in_parts(const AlltoallBlocks& blocks, size_t most, Exchange exchange) {
  const size_t each = parts_of(blocks.nelems, parts_of(blocks.nelems, most));
  for (size_t first = 0; first < blocks.nelems; first += each)
    exchange(blocks.part(first, std::min(each, blocks.nelems - first)));
}

// Every member of my node: exchange_all(LeaderExchange&) on the leader while the others wait. Returns the half of its area
// where everything is then.
template <class ExchangeAll>
int exchange_at_leader(TeamNodes& nodes, ExchangeAll exchange_all) {
  NodeSync sync(nodes);
  if (!sync.leads()) {
    const int half = LeaderExchange::next_half(nodes);
    sync.arrive_and_wait();
    return half;
  }
  sync.await_all();
  LeaderExchange exchange(nodes);
  exchange_all(exchange);
  sync.release();
  return exchange.half();
}

}  // namespace atrium
