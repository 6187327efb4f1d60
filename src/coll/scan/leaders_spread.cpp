// Scan by leaders that spread: they spread the sums of all nodes, of which every member combines those before its own (its carry).
// Several leaders of a node share the messages (coll/steps/spread.hpp).
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "coll/reduce/operands.hpp"
#include "coll/scan/node_scan.hpp"
#include "coll/scan/scan.hpp"
#include "coll/steps/slice.hpp"
#include "coll/steps/spread.hpp"

namespace atrium {
namespace {

template <class ValueOf>
void put_carry(const TeamNodes& nodes, const ScanPiece& piece, ValueOf value_of) {
  if (nodes.me == 0) return;
  if (nodes.me == 1) return put_before(nodes.node, piece, value_of(0));
  alignas(128) std::byte carry[piece_bytes];
  combine_operands(piece.loop, carry, piece.count, nodes.me, value_of);
  put_before(nodes.node, piece, carry);
}

void scan_piece(Team& team, const ScanPiece& piece) {
  const TeamNodes& nodes = *team.nodes;
  spread_values(
      team, piece.bytes(), [&](std::byte* sum) { scan_share(nodes.node, piece, sum); },
      [&](std::byte* sum) { scan_node(nodes.node, piece, sum); },
      [&](auto value_of) { put_carry(nodes, piece, value_of); });
}

void run(Team& team, void* dest, const void* source, size_t n, const ElementLoop& loop, Scan scan) {
  if (!team.nodes->in_order())
    return instead_out_of_order(scan_by::leaders_spread, n * loop.element)
        .run(team, dest, source, n, loop, scan);
  for_each_piece({static_cast<std::byte*>(dest), static_cast<const std::byte*>(source), n, loop, scan},
                 std::min(most_in_area(*team.nodes), piece_bytes),
                 [&](const ScanPiece& piece) { scan_piece(team, piece); });
}

}  // namespace

constinit const ScanAlgorithm scan_by::leaders_spread{
    "leaders_spread", run, any_bytes, any_members, ServedNodes::many, most_nodes_that_spread};

}  // namespace atrium
