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
#include <optional>

#include "coll/barrier/barrier.hpp"
#include "coll/scan/node_scan.hpp"
#include "coll/scan/scan.hpp"
#include "coll/select/family.hpp"
#include "coll/steps/leaders.hpp"
#include "copy/copy.hpp"

namespace atrium {
namespace {

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
  if (!nodes.in_order())
    return instead_out_of_order(scan_by::leaders_doubling, n * loop.element)
        .run(team, dest, source, n, loop, scan);
  const DoublingPlaces places(nodes);
  for_each_piece({static_cast<std::byte*>(dest), static_cast<const std::byte*>(source), n, loop, scan},
                 places.most_bytes(), [&](const ScanPiece& piece) { scan_piece(nodes, places, piece); });
}

}  // namespace

constinit const ScanAlgorithm scan_by::leaders_doubling{"leaders_doubling", run, any_bytes, any_members,
                                                        ServedNodes::many};

}  // namespace atrium
