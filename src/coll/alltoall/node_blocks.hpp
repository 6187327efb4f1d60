// Between nodes: all blocks of one node's members for those of another, packed, and how a leader moves them.
// SPDX-License-Identifier: BSD-3-Clause
//
//   | block of member 0 for member 0, 1, ... of the other node | of member 1 | ... |
#pragma once

#include <algorithm>

#include "coll/alltoall/blocks.hpp"
#include "coll/steps/leaders.hpp"
#include "coll/steps/shared_exchange.hpp"

namespace atrium {

// How many blocks my node and that one have for each other.
inline size_t blocks_between(const TeamNodes& nodes, int other) {
  return static_cast<size_t>(nodes.node.size) * static_cast<size_t>(nodes.members_on(other));
}

// Some of the blocks that my node's members have for those of another. Returns their bytes.
inline size_t pack_blocks(const TeamNodes& nodes, const AlltoallBlocks& blocks, int to,
                          const Portion& portion, std::byte* packed) {
  const auto there = nodes.members.pes_of(to);
  size_t from = portion.first / there.size(), member = portion.first % there.size();
  for (size_t i = 0; i < portion.count; ++i) {
    pack_block(blocks, packed + i * blocks.bytes(),
               nodes.node.there(blocks.source_block(there[member]), static_cast<int>(from)));
    if (++member == there.size()) member = 0, ++from;
  }
  return portion.count * blocks.bytes();
}
// All of them.
inline size_t pack_node(const TeamNodes& nodes, const AlltoallBlocks& blocks, int to, std::byte* packed) {
  return pack_blocks(nodes, blocks, to, {0, blocks_between(nodes, to)}, packed);
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

// What the members of my node have for me, from where it lies.
inline void copy_from_neighbours(const TeamNodes& nodes, const AlltoallBlocks& blocks) {
  const auto here = nodes.members.pes_here();
  const std::byte* const mine = blocks.source_block(here[static_cast<size_t>(nodes.node.me)]);
  for (int i = 0; i < nodes.node.size; ++i)
    copy_block(blocks, blocks.dest_block(here[static_cast<size_t>(i)]), nodes.node.there(mine, i));
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
