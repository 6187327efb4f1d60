// Reduction by slices of leaders: leader i of each node has slice i of its node's sum, and then of every member's.
// SPDX-License-Identifier: BSD-3-Clause
//
// In place is safe: a slice of a source is read by its leader alone.
#pragma once

#include "coll/barrier/barrier.hpp"
#include "coll/reduce/operands.hpp"
#include "coll/select/family.hpp"
#include "team/leader_count.hpp"
#include "team/nodes.hpp"

namespace atrium {

// My node's slice into my own dest, which no other member reads.
inline void combine_node(const Team& node, void* dest, const void* source, const Slice& slice,
                         const ElementLoop& loop) {
  alignas(128) std::byte result[piece_bytes];
  for_each_piece(slice, [&](size_t first, size_t count) {
    combine_sources(node, loop, result, source, first, count);
    atrium::copy(element_at(dest, first, loop.element), result, count * loop.element);
  });
}

// Copies piece by piece, so that a piece is still in the cache when it is read at once.
inline void copy_slice(std::byte* dest, const std::byte* source, const Slice& slice, size_t element) {
  for_each_piece(slice, [&](size_t first, size_t count) {
    atrium::copy(element_at(dest, first, element), element_at(source, first, element), count * element);
  });
}

// How an array is divided: among the leaders, one slice for each; and, where all work, among all members of the node.
class LeaderSlices {
 public:
  LeaderSlices(const Team& node, int leaders, size_t n, size_t element)
      : node_(node), leaders_(leaders), n_(n), element_(element) {}
  Slice of(int leader) const { return slice_of(leader, leaders_, n_, element_); }

  // My share of the node's sum, into the dests of the leaders whose slices it lies in.
  void combine_share(void* dest, const void* source, const ElementLoop& loop) const {
    alignas(128) std::byte result[piece_bytes];
    const Slice share = slice_of(node_.me, node_.size, n_, element_);
    for (int leader = 0; leader < leaders_; ++leader) {
      const Slice slice = of(leader);
      const Slice both{std::max(share.begin, slice.begin), std::min(share.end, slice.end), share.piece};
      for_each_piece(both, [&](size_t first, size_t count) {
        combine_sources(node_, loop, result, source, first, count);
        put_to(node_, leader, element_at(dest, first, element_), result, count * element_);
      });
    }
  }
  // The results, from the dests of the leaders.
  void copy_results(void* dest) const {
    for (int step = 0; step < leaders_; ++step) {
      const int leader = (node_.me + step) % leaders_;
      const Slice slice = of(leader);
      std::byte* const place = element_at(dest, slice.begin, element_);
      if (leader != node_.me) get_from(node_, leader, place, place, (slice.end - slice.begin) * element_);
    }
  }

 private:
  const Team& node_;
  int leaders_;
  size_t n_, element_;
};

// combine_leaders(dest, mine, slice): `mine`, which may be dest, is an array of which each leader has its node's slice;
// afterwards dest has every member's.
template <class CombineLeaders>
void reduce_in_slices(TeamNodes& nodes, void* dest, const void* source, size_t n, const ElementLoop& loop,
                      CombineLeaders combine_leaders) {
  Team& node = nodes.node;
  const int leaders = leaders_of(nodes);
  const LeaderSlices slices(node, leaders, n, loop.element);
  const Slice slice = slices.of(node.me);
  const bool by_all = all_work(node.size, leaders, n * loop.element), leads = node.me < leaders;
  synchronise(node);
  if (by_all) {
    slices.combine_share(dest, source, loop);
    synchronise(node);
  } else if (leads && node.size > 1) {
    combine_node(node, dest, source, slice, loop);
  }
  if (leads)
    combine_leaders(static_cast<std::byte*>(dest),
                    static_cast<const std::byte*>(node.size > 1 ? dest : source), slice);
  if (leads && !by_all) {
    std::byte* mine = element_at(static_cast<std::byte*>(dest), slice.begin, loop.element);
    for (int step = 1; step < node.size; ++step)
      put_to(node, node.after(step), mine, mine, (slice.end - slice.begin) * loop.element);
  }
  synchronise(node);
  if (!by_all) return;
  slices.copy_results(dest);
  synchronise(node);  // every member has read the leaders' dests
}

}  // namespace atrium
