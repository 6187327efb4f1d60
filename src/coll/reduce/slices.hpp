// Reduction by slices of leaders: leader i of each node has slice i of its node's sum, and then of everybody's.
// SPDX-License-Identifier: BSD-3-Clause
//
// In place is safe: a slice of a source is read by its leader alone.
#pragma once

#include "coll/barrier/barrier.hpp"
#include "coll/reduce/operands.hpp"
#include "coll/steps/leader_count.hpp"
#include "team/nodes.hpp"

namespace atrium {

// My node's slice into my own dest, where nobody else reads it.
inline void combine_node(const Team& node, void* dest, const void* source, const Slice& slice,
                         const ElementLoop& loop) {
  alignas(128) std::byte result[piece_bytes];
  for_each_piece(slice, [&](size_t first, size_t count) {
    combine_sources(node, loop, result, source, first, count);
    atrium::copy(element_at(dest, first, loop.element), result, count * loop.element);
  });
}

// combine_leaders(dest, mine, slice): `mine`, which may be dest, is an array of which each leader has its node's slice;
// afterwards dest has everybody's.
template <class CombineLeaders>
void reduce_in_slices(TeamNodes& nodes, void* dest, const void* source, size_t n, const ElementLoop& loop,
                      CombineLeaders combine_leaders) {
  Team& node = nodes.node;
  const int leaders = leaders_of(nodes);
  const Slice slice = slice_of(node.me, leaders, n, loop.element);
  synchronise(node);
  if (node.me < leaders) {
    if (node.size > 1) combine_node(node, dest, source, slice, loop);
    combine_leaders(static_cast<std::byte*>(dest),
                    static_cast<const std::byte*>(node.size > 1 ? dest : source), slice);
    std::byte* mine = element_at(static_cast<std::byte*>(dest), slice.begin, loop.element);
    for (int step = 1; step < node.size; ++step)
      put_to(node, node.after(step), mine, mine, (slice.end - slice.begin) * loop.element);
  }
  synchronise(node);
}

}  // namespace atrium
