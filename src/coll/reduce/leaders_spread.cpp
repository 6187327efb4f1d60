// Reduction by leaders that spread: the leaders of each node combine the operands of its members, and spread what all nodes have, which
// every member combines for itself, in the order of nodes. Several leaders of a node share the messages (coll/steps/spread.hpp).
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "coll/reduce/operands.hpp"
#include "coll/reduce/reduce.hpp"
#include "coll/steps/slice.hpp"
#include "coll/steps/spread.hpp"
#include "copy/copy.hpp"

namespace atrium {
namespace {

// `count` elements of every array, from `first` on, into the value of my node. `first` is its first element in both.
void combine_node(const Team& node, const ElementLoop& loop, std::byte* value, const void* source,
                  size_t first, size_t count) {
  std::byte* const result = element_at(value, first, loop.element);
  if (node.size > 1) return combine_sources(node, loop, result, source, first, count);
  atrium::copy(result, element_at(source, first, loop.element), count * loop.element);
}

void reduce_piece(Team& team, void* dest, const void* source, size_t n, const ElementLoop& loop) {
  const Team& node = team.nodes->node;
  const auto combine_share = [&](std::byte* value) {
    const Slice share = slice_of(node.me, node.size, n, loop.element);
    if (share.begin < share.end)
      combine_node(node, loop, value, source, share.begin, share.end - share.begin);
  };
  const auto combine = [&](std::byte* value) { combine_node(node, loop, value, source, 0, n); };
  spread_values(team, n * loop.element, combine_share, combine,
                [&](auto value_of) { combine_operands(loop, dest, n, team.nodes->count(), value_of); });
}

void run(Team& team, void* dest, const void* source, size_t n, const ElementLoop& loop) {
  const size_t most = most_in_area(*team.nodes) / loop.element, pieces = (n + most - 1) / most,
               each = pieces > 0 ? (n + pieces - 1) / pieces : 1;
  for (size_t first = 0; first < n; first += each)
    reduce_piece(team, element_at(dest, first, loop.element), element_at(source, first, loop.element),
                 std::min(each, n - first), loop);
}

}  // namespace

constinit const ReduceAlgorithm reduce_by::leaders_spread{
    "leaders_spread", run, any_bytes, any_members, ServedNodes::many, most_nodes_that_spread};

}  // namespace atrium
