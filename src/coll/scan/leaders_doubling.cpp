// Scan by leaders that double: each node's sum goes to the nodes behind it, of twice as many nodes in each round.
// SPDX-License-Identifier: BSD-3-Clause
//
// First each member's dest gets what its own node has before it. Meanwhile leaders exchange the sums of *ranges* of nodes, which end
// with their own: in round k a leader sends the sum of the last 2^k nodes to the leader 2^k nodes on, and puts what comes from 2^k
// nodes back before what it has. So it ends with its *carry*, the sum of all nodes before its own, which every member then puts before
// its dest. Operands are combined in the order of members, but not one after the other: a floating-point sum may differ in its last bits.
//
//   area of a leader:  | came in round 0 | in round 1 | ... | carry | range |
//
// No leader ends before all have begun, as LeaderExchange requires: also leaders with nothing behind them send, around the team, a flag
// without data.
#include <algorithm>
#include <cstring>
#include <optional>

#include "coll/barrier/barrier.hpp"
#include "coll/reduce/operands.hpp"
#include "coll/scan/scan.hpp"
#include "coll/select/family.hpp"
#include "coll/steps/leaders.hpp"
#include "coll/steps/slice.hpp"
#include "coll/steps/spread.hpp"
#include "copy/copy.hpp"

namespace atrium {
namespace {

// One piece of the arrays, as all members of a node see it. `dest` and `source` are my addresses.
struct ScanPiece {
  std::byte* dest;
  const std::byte* source;
  size_t count;
  const ElementLoop& loop;
  Scan scan;

  size_t bytes() const { return count * loop.element; }
  ScanPiece part(size_t first, size_t elements) const {
    return {element_at(dest, first, loop.element), element_at(source, first, loop.element), elements, loop,
            scan};
  }
};

template <class Visit>
void for_each_piece(const ScanPiece& whole, size_t most_bytes, Visit visit) {
  const size_t most = most_bytes / whole.loop.element;
  for (size_t first = 0; first < whole.count; first += most)
    visit(whole.part(first, std::min(most, whole.count - first)));
}

class DoublingPlaces {
 public:
  explicit DoublingPlaces(const TeamNodes& nodes)
      : rounds_(static_cast<size_t>(rounds_of(nodes.count()))), each_(area_bytes / (rounds_ + 2) / 16 * 16) {}
  size_t most_bytes() const { return std::min(each_, piece_bytes); }
  size_t came_in(int round) const { return static_cast<size_t>(round) * each_; }
  size_t carry() const { return rounds_ * each_; }
  size_t range() const { return carry() + each_; }

 private:
  size_t rounds_, each_;
};

// Into each member's dest what the node has before it; into `sum` all of it. A dest may be its member's source.
void scan_node(const Team& node, const ScanPiece& piece, std::byte* sum) {
  alignas(128) std::byte next[piece_bytes];
  const size_t bytes = piece.bytes();
  for (int i = 0; i < node.size; ++i) {
    const std::byte* const operand = node.there(piece.source, i);
    std::byte* const result = node.there(piece.dest, i);
    const bool is_first = i == 0;
    if (piece.scan == Scan::inclusive) {
      is_first ? atrium::copy(sum, operand, bytes) : piece.loop.combine(sum, sum, operand, piece.count);
      if (result != operand || !is_first) atrium::copy(result, sum, bytes);
    } else if (is_first) {
      atrium::copy(sum, operand, bytes);
      std::memset(result, 0, bytes);  // zero of every arithmetic type
    } else {
      piece.loop.combine(next, sum, operand, piece.count);
      atrium::copy(result, sum, bytes);
      atrium::copy(sum, next, bytes);
    }
  }
}

// My share of that.
void scan_share(const Team& node, const ScanPiece& piece, std::byte* sum) {
  const Slice share = slice_of(node.me, node.size, piece.count, piece.loop.element);
  if (share.begin < share.end)
    scan_node(node, piece.part(share.begin, share.end - share.begin),
              element_at(sum, share.begin, piece.loop.element));
}

// On the leader: `range`, my node's sum, becomes what the nodes behind me need, and carry the sum of those before me.
void exchange_sums(const TeamNodes& nodes, LeaderExchange& exchange, const DoublingPlaces& places,
                   const ScanPiece& piece) {
  std::byte *const range = exchange.area() + places.range(), *const carry = exchange.area() + places.carry();
  const int count = nodes.count();
  for (int round = 0, reach = 1; reach < count; ++round, reach *= 2) {
    const bool goes_round = nodes.me + reach >= count;
    exchange.send(nodes.after(reach), places.came_in(round), range, goes_round ? 0 : piece.bytes());
    exchange.await_from(nodes.after(count - reach));
    if (nodes.me < reach) continue;
    const std::byte* const before = exchange.area() + places.came_in(round);
    if (round == 0)
      atrium::copy(carry, before, piece.bytes());
    else
      piece.loop.combine(carry, before, carry, piece.count);
    if (nodes.me + 2 * reach < count) piece.loop.combine(range, before, range, piece.count);
  }
}

// `carry` comes before what my own node has before me.
void put_before(const Team& node, const ScanPiece& piece, const std::byte* carry) {
  if (node.me == 0 && piece.scan == Scan::exclusive)
    atrium::copy(piece.dest, carry, piece.bytes());
  else
    piece.loop.combine(piece.dest, carry, piece.dest, piece.count);
}

// Several leaders of each node spread the sums of all nodes, of which every member combines those before its own. Requires: a sum is no
// more than a piece.
void scan_together(Team& team, int leaders, const ScanPiece& piece) {
  TeamNodes& nodes = *team.nodes;
  const auto place_of = [bytes = piece.bytes()](int node) { return static_cast<size_t>(node) * bytes; };
  const bool by_all = all_work(nodes.node.size, 1, piece.bytes());
  if (by_all) synchronise(nodes.node);  // every member's source is there
  SharedSync sync(nodes, leaders);
  SharedExchange exchange(team, 1);
  std::byte *const area = exchange.area(), *const sum = area + place_of(nodes.me);
  if (by_all) scan_share(nodes.node, piece, sum);
  if (sync.leads()) {
    sync.await_all([&] {
      if (!by_all) scan_node(nodes.node, piece, sum);
    });
    spread_areas(sync, exchange, nodes, leaders, place_of);
    sync.release();
  } else {
    sync.arrive_and_wait();
  }
  alignas(128) std::byte carry[piece_bytes];
  if (nodes.me == 1) return put_before(nodes.node, piece, area);
  if (nodes.me == 0) return;
  combine_operands(piece.loop, carry, piece.count, nodes.me,
                   [&](int node) -> const std::byte* { return area + place_of(node); });
  put_before(nodes.node, piece, carry);
}

void scan_piece(TeamNodes& nodes, const DoublingPlaces& places, const ScanPiece& piece) {
  Team& node = nodes.node;
  const bool by_all = all_work(node.size, 1, piece.bytes());
  if (by_all) synchronise(node);  // every member's source is there
  NodeSync sync(nodes);
  std::optional<LeaderExchange> exchange;
  int half;
  if (sync.leads())
    half = exchange.emplace(nodes).half();
  else
    half = LeaderExchange::next_half(nodes);
  std::byte *const area = nodes.area_of_node(half), *const range = area + places.range();
  if (by_all) scan_share(node, piece, range);
  if (!sync.leads()) {
    sync.arrive_and_wait();
  } else {
    sync.await_all();
    if (!by_all) scan_node(node, piece, range);
    exchange_sums(nodes, *exchange, places, piece);
    sync.release();
  }
  if (nodes.me > 0) put_before(node, piece, area + places.carry());
}

void run(Team& team, void* dest, const void* source, size_t n, const ElementLoop& loop, Scan scan) {
  TeamNodes& nodes = *team.nodes;
  if (!nodes.in_order()) {
    const size_t most_gathered = size_t{job_is(costly_messages) ? 8U : 4U} << 10;  // [simulated]
    return scans
        .hand_over(scan_by::leaders_doubling,
                   n * loop.element <= most_gathered ? scan_by::leaders : scan_by::bulk,
                   "members are not numbered node after node")
        .run(team, dest, source, n, loop, scan);
  }
  const ScanPiece whole{static_cast<std::byte*>(dest), static_cast<const std::byte*>(source), n, loop, scan};
  const int leaders = spreading_leaders(nodes);
  if (std::min(whole.bytes(), piece_bytes) <= most_spread(nodes, leaders))
    return for_each_piece(whole, piece_bytes,
                          [&](const ScanPiece& piece) { scan_together(team, leaders, piece); });
  const DoublingPlaces places(nodes);
  for_each_piece(whole, places.most_bytes(),
                 [&](const ScanPiece& piece) { scan_piece(nodes, places, piece); });
}

}  // namespace

constinit const ScanAlgorithm scan_by::leaders_doubling{"leaders_doubling", run, any_bytes, any_members,
                                                        ServedNodes::many};

}  // namespace atrium
