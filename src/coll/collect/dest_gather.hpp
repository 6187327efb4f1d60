// Gather in dests: the blocks of a node's members lie in its leader's dest; leaders spread them over the nodes (coll/steps/spread.hpp), and
// the members of each node copy what has come.
// SPDX-License-Identifier: BSD-3-Clause
//
// Each byte goes to each node once. Members have to be numbered node after node, so that what is passed on lies together in a dest, too.
#pragma once

#include "coll/barrier/barrier.hpp"
#include "coll/steps/spread.hpp"

namespace atrium {

// begin_of(member): where a member's block begins in dest, and for team.size where the last one ends. Requires: team.nodes->in_order().
template <class BeginOf>
void gather_in_dests(Team& team, void* dest, const void* source, BeginOf begin_of) {
  TeamNodes& nodes = *team.nodes;
  const int leaders = spreading_leaders(nodes);
  SharedSync sync(nodes, leaders);
  SharedExchange exchange(team, 1);
  auto* const mine = static_cast<std::byte*>(dest);
  std::byte* const gathered = nodes.node.there(mine, 0);
  const size_t begin = begin_of(team.me), end = begin_of(team.me + 1);
  if (begin < end) atrium::copy(gathered + begin, source, end - begin);
  const auto send = [&](const SpreadStep& step) {
    const auto place_of = [&](int node) { return begin_of(nodes.first[static_cast<size_t>(node)]); };
    send_pieces(nodes, step.sent, place_of, [&](size_t place, size_t bytes, bool goes_on) {
      if (bytes > 0 || !goes_on)
        exchange.put(step.to, nodes.members.pes_of(step.to)[0], mine + place, gathered + place, bytes,
                     !goes_on);
    });
    exchange.await_from(step.from);
  };
  if (sync.leads()) {
    sync.await_all();
    spread(sync, nodes.node.me, SpreadRounds(nodes, leaders, exchange.half()), send);
    sync.release();
  } else {
    sync.arrive_and_wait();
  }
  if (nodes.node.me != 0) atrium::copy(mine, gathered, begin_of(team.size));
  synchronise(nodes.node);  // every member has read the leader's dest
}

}  // namespace atrium
