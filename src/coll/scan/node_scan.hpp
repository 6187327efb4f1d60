// Scans that go by the sums of nodes: what a node does for itself, before leaders exchange these sums and after it.
// SPDX-License-Identifier: BSD-3-Clause
//
// First each member's dest gets what its own node has before it. What the nodes before mine have, the *carry*, comes before that. So
// members have to be numbered node after node.
#pragma once

#include <algorithm>
#include <cstring>

#include "coll/scan/scan.hpp"
#include "coll/select/family.hpp"
#include "coll/steps/slice.hpp"
#include "copy/copy.hpp"

namespace atrium {

// What serves a team whose members are not numbered node after node, in which `algorithm` cannot run.
inline const ScanAlgorithm& instead_out_of_order(const ScanAlgorithm& algorithm, size_t bytes) {
  const size_t most_gathered = size_t{job_is(costly_messages) ? 8U : 4U} << 10;  // [simulated]
  return scans.hand_over(algorithm, bytes <= most_gathered ? scan_by::leaders : scan_by::bulk,
                         "members are not numbered node after node");
}

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

// Into each member's dest what the node has before it; into `sum` all of it. A dest may be its member's source.
inline void scan_node(const Team& node, const ScanPiece& piece, std::byte* sum) {
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
inline void scan_share(const Team& node, const ScanPiece& piece, std::byte* sum) {
  const Slice share = slice_of(node.me, node.size, piece.count, piece.loop.element);
  if (share.begin < share.end)
    scan_node(node, piece.part(share.begin, share.end - share.begin),
              element_at(sum, share.begin, piece.loop.element));
}

// `carry` comes before what my own node has before me.
inline void put_before(const Team& node, const ScanPiece& piece, const std::byte* carry) {
  if (node.me == 0 && piece.scan == Scan::exclusive)
    atrium::copy(piece.dest, carry, piece.bytes());
  else
    piece.loop.combine(piece.dest, carry, piece.dest, piece.count);
}

}  // namespace atrium
