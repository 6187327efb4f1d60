// Relay: leaders pass data on from node to node, in pieces, so that each node sends all of it once, to the next one.
// SPDX-License-Identifier: BSD-3-Clause
//
// While a piece goes to the third node the next one goes to the second. A flag follows each piece; it counts all pieces
// that ever came from the node before, so it needs no sync, and a sender may be several relays ahead.
//
// Requires: a dest may be written before its owner has come. Who passes on a place of its own must settle() before that may change.
#pragma once

#include "team/flags.hpp"
#include "team/nodes.hpp"

namespace atrium {

class Relay {
 public:
  // Around the nodes, from `first` on. Requires of `pieces`: the same on all leaders of my number.
  Relay(TeamNodes& nodes, int first, size_t pieces)
      : nodes_(nodes), begins_(nodes.me == first), ends_(nodes.after(1) == first), before_(nodes.relayed) {
    nodes.relayed += pieces;
  }
  bool begins() const { return begins_; }

  // Not on the first node: until my predecessor has put this piece where it belongs.
  void await(size_t piece) {
    const int from = nodes_.after(nodes_.count() - 1);
    await_flag(nodes_.leaders, nodes_.flag(nodes_.me, from, TeamNodes::Flag::pieces), before_ + piece + 1);
  }
  // To the next node, if there is one. `dest` is my address of a symmetric object.
  void pass_on(size_t piece, void* dest, const void* data, size_t bytes) {
    if (ends_) return;
    const int to = nodes_.after(1);
    detail::raise_away_later(nodes_.leaders, to, nodes_.flag(to, nodes_.me, TeamNodes::Flag::pieces),
                             before_ + piece + 1, dest, data, bytes);
  }

 private:
  TeamNodes& nodes_;
  bool begins_, ends_;
  uint64_t before_;
};

}  // namespace atrium
