// Reduction by leaders: each combines the operands of its node, leaders combine theirs by recursive doubling, or all at once.
// SPDX-License-Identifier: BSD-3-Clause
//
// Recursive doubling needs a power of two, so other numbers of nodes take a round before and one after. Where nodes are few, each
// leader sends what it has to all others instead, which takes one round: each combines in the order of nodes.
// Two leaders that exchange combine the same two values in the same order, that of their nodes: so all end with the same
// bits (coll/steps/pairs.hpp). Neighbours wait for their leader; so it reads their sources where they lie, and writes their dests.
#include "coll/steps/leaders.hpp"

#include <algorithm>

#include "coll/reduce/operands.hpp"
#include "coll/reduce/reduce.hpp"
#include "coll/steps/pairs.hpp"

namespace atrium {
namespace {

// Each message of an exchange has a buffer of its own in the area.
size_t bytes_of_buffer(const Pairs& pairs) {
  const int buffers =
      goes_at_once(pairs) ? pairs.even + pairs.rest : pairs.rounds() + (pairs.rest > 0 ? 1 : 0);
  return area_bytes / static_cast<size_t>(buffers) / 16 * 16;
}

// `own` is my node's operand, and may be `value`, where the result goes. Requires: its bytes fit in a buffer.
void combine_at_once(TeamNodes& nodes, const Pairs& pairs, const ElementLoop& loop, std::byte* value,
                     const std::byte* own, size_t count) {
  const size_t bytes = count * loop.element;
  const auto place_of = [&](int node) { return static_cast<size_t>(node) * bytes_of_buffer(pairs); };
  LeaderExchange exchange(nodes);
  for (int step = 1; step < nodes.count(); ++step)
    exchange.send(nodes.after(step), place_of(nodes.me), own, bytes);
  for (int step = 1; step < nodes.count(); ++step) exchange.await_from(nodes.after(step));
  // Into value at once, unless my operand lies there and has not had its turn when the first result is written.
  std::byte* const result = own != value || nodes.me < 2 ? value : exchange.area();
  combine_operands(loop, result, count, nodes.count(), [&](int node) -> const std::byte* {
    return node == nodes.me ? own : exchange.area() + place_of(node);
  });
  if (result != value) atrium::copy(value, result, bytes);
}

// The same in rounds.
void combine_in_rounds(TeamNodes& nodes, const Pairs& pairs, const ElementLoop& loop, std::byte* value,
                       const std::byte* own, size_t count) {
  const size_t bytes = count * loop.element,
               apart = static_cast<size_t>(pairs.rounds()) * bytes_of_buffer(pairs);
  const bool pairs_up = pairs.pairs_up(nodes.me);
  LeaderExchange exchange(nodes);
  if (pairs.waits(nodes.me)) {
    exchange.send(nodes.me - 1, apart, own, bytes);
    exchange.await_from(nodes.me - 1);
    return atrium::copy(value, exchange.area() + apart, bytes);
  }
  if (pairs_up) {
    exchange.await_from(nodes.me + 1);
    loop.combine(value, own, exchange.area() + apart, count);
    own = value;
  }
  const int me = pairs.number_of(nodes.me);
  for (int round = 0; round < pairs.rounds(); ++round) {
    const int other = me ^ (1 << round), node = pairs.node_of(other);
    const size_t place = static_cast<size_t>(round) * bytes_of_buffer(pairs);
    exchange.send(node, place, own, bytes);
    exchange.await_from(node);
    const std::byte* theirs = exchange.area() + place;
    loop.combine(value, other < me ? theirs : own, other < me ? own : theirs, count);
    own = value;
  }
  if (pairs_up) exchange.send(nodes.me + 1, apart, value, bytes);
}

// On the leader: `first` ... of every member's array. Its dest may be its source, the first operand.
void reduce_piece(TeamNodes& nodes, const Pairs& pairs, const ElementLoop& loop, void* dest,
                  const void* source, size_t first, size_t count) {
  const size_t bytes = count * loop.element;
  std::byte* value = element_at(dest, first, loop.element);
  const std::byte* own = element_at(source, first, loop.element);
  if (nodes.node.size > 1) combine_sources(nodes.node, loop, value, source, first, count), own = value;
  const auto combine_nodes = goes_at_once(pairs) ? combine_at_once : combine_in_rounds;
  combine_nodes(nodes, pairs, loop, value, own, count);
  for (int member = 1; member < nodes.node.size; ++member) put_to(nodes.node, member, value, value, bytes);
}

void run(Team& team, void* dest, const void* source, size_t n, const ElementLoop& loop) {
  TeamNodes& nodes = *team.nodes;
  const Pairs pairs(nodes.count());
  // Pieces pass through the first-level cache of a leader that combines what several members have; all nodes take the same.
  const size_t piece = team.size > nodes.count() ? piece_bytes : SIZE_MAX;
  const size_t most = std::min(bytes_of_buffer(pairs), piece) / loop.element;
  for (size_t first = 0; first < n; first += most) {
    NodeSync sync(nodes);
    if (!sync.leads()) {
      LeaderExchange::next_half(nodes);
      sync.arrive_and_wait();
      continue;
    }
    sync.await_all();
    reduce_piece(nodes, pairs, loop, dest, source, first, std::min(most, n - first));
    sync.release();
  }
}

}  // namespace

constinit const ReduceAlgorithm reduce_by::leaders{"leaders", run, any_bytes, any_members, ServedNodes::many};

}  // namespace atrium
