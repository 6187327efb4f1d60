// Reduction of large data between nodes: leaders divide it in slices, and write them into each other's buffers. Each combines a part of its slice for all nodes, so data crosses between nodes
// twice. On two nodes each leader combines all of the slice for its own node, so data crosses once.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "coll/reduce/reduce.hpp"
#include "coll/reduce/slices.hpp"
#include "coll/steps/leader_buffer.hpp"

namespace atrium {
namespace {

// Elements begin ... end of an array, divided among the leaders of the nodes.
struct Parts {
  size_t begin, end;
  int nodes;
  size_t element;

  // May be empty.
  Slice of(int node) const {
    const Slice part = slice_of(node, nodes, end - begin, element);
    return {begin + part.begin, begin + part.end, 0};
  }
};

bool is_empty(const Slice& part) { return part.begin == part.end; }
size_t bytes_of(const Slice& part, size_t element) { return (part.end - part.begin) * element; }

template <class Work>
void for_each_other(const TeamNodes& nodes, Work work) {
  for (int step = 1; step < nodes.count(); ++step) work(nodes.after(step));
}

// `own` is what my node has of my part, and may lie in `dest`, where the result of all goes.
void combine_part(const TeamNodes& nodes, BufferExchange& exchange, const ElementLoop& loop, std::byte* dest,
                  const std::byte* own, size_t count) {
  const size_t bytes = count * loop.element;
  // Into dest at once, unless my operand lies there and has not had its turn when the first result is written.
  std::byte* result = own != dest || nodes.me < 2 ? dest : exchange.await_operand(0);
  combine_operands(loop, result, count, nodes.count(),
                   [&](int node) { return node == nodes.me ? own : exchange.await_operand(node); });
  if (result != dest) atrium::copy(dest, result, bytes);
  for_each_other(nodes, [&](int node) { exchange.send_result(node, dest, dest, bytes); });
}

void combine_parts(TeamNodes& nodes, const Parts& parts, const ElementLoop& loop, std::byte* dest,
                   const std::byte* own) {
  BufferExchange exchange(nodes);
  for_each_other(nodes, [&](int node) {
    const Slice part = parts.of(node);
    if (is_empty(part)) return;
    exchange.send_operand(node, element_at(own, part.begin, loop.element), bytes_of(part, loop.element));
  });
  const Slice mine = parts.of(nodes.me);
  if (!is_empty(mine))
    combine_part(nodes, exchange, loop, element_at(dest, mine.begin, loop.element),
                 element_at(own, mine.begin, loop.element), mine.end - mine.begin);
  for_each_other(nodes, [&](int node) {
    if (!is_empty(parts.of(node))) exchange.await_result(node);
  });
}

// Two leaders: as many bytes as in parts cross in each direction, at once.
void combine_whole(TeamNodes& nodes, const Slice& slice, const ElementLoop& loop, std::byte* dest,
                   const std::byte* own) {
  const int other = 1 - nodes.me;
  const size_t count = slice.end - slice.begin;
  const std::byte* mine = element_at(own, slice.begin, loop.element);
  BufferExchange exchange(nodes);
  exchange.send_operand(other, mine, count * loop.element);
  const std::byte* theirs = exchange.await_operand(other);
  combine_operands(loop, element_at(dest, slice.begin, loop.element), count, 2,
                   [&](int node) { return node == nodes.me ? mine : theirs; });
  exchange.say_read(other);
  exchange.await_result(other);
}

void combine_leaders(TeamNodes& nodes, const Slice& slice, const ElementLoop& loop, std::byte* dest,
                     const std::byte* own) {
  if (is_empty(slice)) return;
  const size_t bytes = bytes_of(slice, loop.element);
  // Halves that travel as records, twice, are faster than one transfer.
  if (nodes.count() == 2 && bytes > 2 * most_in_a_record && bytes <= BufferExchange::most_bytes(nodes))
    return combine_whole(nodes, slice, loop, dest, own);
  combine_parts(nodes, Parts{slice.begin, slice.end, nodes.count(), loop.element}, loop, dest, own);
}

// A slice that the buffers cannot hold goes in several exchanges, one after the other.
void run(Team& team, void* dest, const void* source, size_t n, const ElementLoop& loop) {
  TeamNodes& nodes = *team.nodes;
  const size_t most = BufferExchange::most_of_slice(nodes) / loop.element;
  reduce_in_slices(
      nodes, dest, source, n, loop, [&](std::byte* result, const std::byte* own, const Slice& slice) {
        for (size_t first = slice.begin; first < slice.end; first += most)
          combine_leaders(nodes, {first, std::min(first + most, slice.end), slice.piece}, loop, result, own);
      });
}

}  // namespace

constinit const ReduceAlgorithm reduce_by::leaders_put{
    "leaders_put", run, any_bytes, any_members, ServedNodes::many, BufferExchange::most_nodes};

}  // namespace atrium
