// Reduction by slices of leaders that halve and double (Rabenseifner, Optimization of Collective Reduction Operations, 2004).
// SPDX-License-Identifier: BSD-3-Clause
//
// In each round a leader keeps one half of what it works on, and sends the other half to one other leader, who keeps that. In
// the end it has a part of its slice for all nodes. Then the rounds are gone back: what is ready goes to the same leaders, into
// their dests. So a leader sends two messages for each bit of the number of nodes, where `leaders_put` sends two to each other node.
//
//   buffer of a leader:  | half of round 0 | of round 1 | ...
//
// Where nodes are no power of two, a leader reads the operand of the one that waits for it (coll/steps/pairs.hpp) where it lies.
// One buffer suffices: a leader that ends an exchange has the parts of all that take part in the rounds, so each of them has read
// its buffer. A dest may be written, also in place, because its owner has sent the data that it had there.
// The same bits everywhere: each element is combined by one leader for all.
#include <algorithm>
#include <memory>

#include "coll/reduce/reduce.hpp"
#include "coll/reduce/slices.hpp"
#include "coll/steps/leader_buffer.hpp"
#include "coll/steps/pairs.hpp"

namespace atrium {
namespace {

// The halves of so many elements, one after the other, of which I keep the larger one each time.
size_t sum_of_halves(size_t elements, int rounds) {
  size_t sum = 0;
  for (int round = 0; round < rounds; ++round) sum += elements = (elements + 1) / 2;
  return sum;
}

class Halving {
 public:
  Halving(TeamNodes& nodes, const ElementLoop& loop, std::byte* array)
      : nodes_(nodes), pairs_(nodes.count()), loop_(loop), array_(array), exchange_(nodes) {}

  // So many elements buffers can hold the halves of.
  static size_t most_elements(const TeamNodes& nodes, size_t element) {
    const size_t buffer = leader_buffer_bytes / element;
    const int rounds = Pairs(nodes.count()).rounds();
    size_t most = 2 * buffer;
    while (sum_of_halves(most, rounds) > buffer)
      most -= std::max<size_t>(1, sum_of_halves(most, rounds) - buffer);
    return most;
  }

  // Before: each leader's `array` has its node's elements of `whole`; afterwards: those of all nodes.
  void run(const Slice& whole) {
    if (pairs_.waits(nodes_.me)) {
      exchange_.say_ready(nodes_.me - 1);
      return exchange_.await_result(nodes_.me - 1);
    }
    const bool pairs_up = pairs_.pairs_up(nodes_.me);
    if (pairs_up) combine_next(whole);
    halve_and_double(whole, 0, 0);
    if (pairs_up) send_result(nodes_.me + 1, whole);
  }

 private:
  size_t bytes_of(const Slice& part) const { return (part.end - part.begin) * loop_.element; }
  std::byte* at(const Slice& part) const { return element_at(array_, part.begin, loop_.element); }
  void send_result(int to, const Slice& part) {
    exchange_.send_result(to, at(part), at(part), bytes_of(part));
  }

  // In the order of numbers.
  void combine(const Slice& part, const std::byte* theirs, bool theirs_first) {
    std::byte* const mine = at(part);
    if (part.begin < part.end)
      loop_.combine(mine, theirs_first ? theirs : mine, theirs_first ? mine : theirs, part.end - part.begin);
  }

  // What the next node has.
  void combine_next(const Slice& whole) {
    const auto theirs = std::make_unique_for_overwrite<std::byte[]>(bytes_of(whole));
    exchange_.await_ready(nodes_.me + 1);
    read_from(nodes_.leaders, nodes_.me + 1, theirs.get(), at(whole), bytes_of(whole));
    combine(whole, theirs.get(), false);
  }

  // `place`: in buffers, where this round's half goes.
  void halve_and_double(const Slice& whole, int round, size_t place) {
    if (round == pairs_.rounds()) return;
    const int me = pairs_.number_of(nodes_.me), bit = pairs_.even >> (round + 1), other = me ^ bit;
    const int node = pairs_.node_of(other);
    const size_t half = (whole.end - whole.begin + 1) / 2;
    const Slice low{whole.begin, whole.begin + half, whole.piece}, high{low.end, whole.end, whole.piece};
    const bool keeps_low = me < other;
    const Slice& mine = keeps_low ? low : high;
    const Slice& theirs = keeps_low ? high : low;
    exchange_.send_operand(node, place, at(theirs), bytes_of(theirs));
    combine(mine, exchange_.await_operand(node, place), other < me);
    halve_and_double(mine, round + 1, place + half * loop_.element);
    send_result(node, mine);
    exchange_.await_result(node);
  }

  TeamNodes& nodes_;
  const Pairs pairs_;
  const ElementLoop& loop_;
  std::byte* array_;
  BufferExchange exchange_;
};

// A slice that the buffers cannot hold goes in several exchanges, one after the other.
void run(Team& team, void* dest, const void* source, size_t n, const ElementLoop& loop) {
  TeamNodes& nodes = *team.nodes;
  const size_t most = Halving::most_elements(nodes, loop.element);
  reduce_in_slices(
      nodes, dest, source, n, loop, [&](std::byte* result, const std::byte* own, const Slice& slice) {
        if (own != result) copy_slice(result, own, slice, loop.element);
        for (size_t first = slice.begin; first < slice.end; first += most)
          Halving(nodes, loop, result).run({first, std::min(first + most, slice.end), slice.piece});
      });
}

}  // namespace

constinit const ReduceAlgorithm reduce_by::leaders_halving{"leaders_halving", run, any_bytes, any_members,
                                                           ServedNodes::many};

}  // namespace atrium
