// Spreading: each node sends on what it has, and so learns in each round of several times as many nodes (Bruck).
// SPDX-License-Identifier: BSD-3-Clause
//
// With *reach* nodes known, its own and those on one side of it, each leader sends what is known to another node (spread_rounds.hpp):
//
//   12 nodes, k = 2, seen from node 8:   round 0, reach 1: 8 -> 9, 10;   round 1, reach 3: 6 ... 8 -> 11, 2;   round 2, reach 9: 0 ... 2 -> 5
//
// A round takes a message's time, and for several leaders a sync among them, since all send on what each has received.
#pragma once

#include <algorithm>

#include "coll/select/family.hpp"
#include "coll/steps/shared_exchange.hpp"
#include "coll/steps/shared_sync.hpp"
#include "coll/steps/spread_rounds.hpp"

namespace atrium {

// Where the data of some nodes lies, the last nodes' before the first ones' if they are both: send(place, bytes, goes_on) for each piece.
// place_of(node): where the data of that node begins, and for node == count() where the last one's ends.
template <class PlaceOf, class Send>
void send_pieces(const TeamNodes& nodes, const NodeRange& range, PlaceOf place_of, Send send) {
  const int end = range.first + range.count, rest = end - nodes.count();
  const size_t place = place_of(range.first);
  send(place, place_of(std::min(end, nodes.count())) - place, rest > 0);
  if (rest > 0) send(place_of(0), place_of(rest) - place_of(0), false);
}

// How many leaders of each node take part: as few as need the least rounds. Those that share a CPU would wait for each other.
// Nothing of that changes while there is the team.
inline int spreading_leaders(const TeamNodes& nodes) {
  if (nodes.spreading_leaders > 0) return nodes.spreading_leaders;
  int best = 1;
  for (int leaders = 2; leaders <= nodes.leader_count() && !is_oversubscribed(); ++leaders)
    if (SpreadRounds::rounds(nodes, leaders) < SpreadRounds::rounds(nodes, best)) best = leaders;
  return nodes.spreading_leaders = best;
}

// Up to so many nodes an area has room for a value of each, whatever its type.
inline constexpr int most_nodes_that_spread = static_cast<int>(area_bytes / 32);

// Up to how many bytes of each node fit in an area.
inline size_t most_in_area(const TeamNodes& nodes) {
  return area_bytes / static_cast<size_t>(nodes.count()) / 16 * 16;
}

// Up to how many bytes leaders had better spread values, one of each node, than combine them in rounds, in each of which one sends no more than
// its own: rounds that are saved are worth many bytes ([simulated], docs/measurements/collectives.md). Never more than fit in an area.
inline size_t most_spread(const TeamNodes& nodes, int leaders) {
  const size_t several = job_is(costly_messages) ? area_bytes / 2 : area_bytes / 4, as_many = several / 4;
  const size_t of_all = leaders == 1                                ? as_many
                        : SpreadRounds::rounds(nodes, leaders) == 1 ? area_bytes
                                                                    : several;
  return of_all / static_cast<size_t>(nodes.count()) / 16 * 16;
}

// On each of the leaders. exchange(step): sends, and waits for what comes from step.from. Returns when all of them know of all nodes.
template <class Exchange>
void spread(SharedSync& sync, int me, SpreadRounds rounds, Exchange exchange) {
  for (; !rounds.is_over(); rounds.next_round()) {
    if (rounds.sends(me)) exchange(rounds.step(me));
    sync.meet();
  }
}
// The same for what lies in the areas.
template <class PlaceOf>
void spread_areas(SharedSync& sync, SharedExchange& exchange, const TeamNodes& nodes, int leaders,
                  PlaceOf place_of) {
  const std::byte* const area = exchange.area();
  spread(sync, nodes.node.me, SpreadRounds(nodes, leaders, exchange.half()), [&](const SpreadStep& step) {
    send_pieces(nodes, step.sent, place_of, [&](size_t place, size_t bytes, bool goes_on) {
      exchange.send(step.to, place, area + place, bytes, !goes_on);
    });
    exchange.await_from(step.from);
  });
}

// A value of each node, of so many bytes, comes to every member of the team. The first leader of a node makes that of its node, when all
// its members have come, by make(value); where all members work, each does its share of it by make_share(value). Then take(value_of)
// on every member, where value_of(node) is that node's. Requires: bytes <= most_in_area(nodes).
template <class MakeShare, class Make, class Take>
void spread_values(Team& team, size_t bytes, MakeShare make_share, Make make, Take take) {
  TeamNodes& nodes = *team.nodes;
  const int leaders = spreading_leaders(nodes);
  const auto place_of = [bytes](int node) { return static_cast<size_t>(node) * bytes; };
  const bool by_all = all_work(nodes.node.size, 1, bytes);
  if (by_all) synchronise(nodes.node);  // every member's source is there
  SharedSync sync(nodes, leaders);
  SharedExchange exchange(team, 1);
  std::byte *const area = exchange.area(), *const mine = area + place_of(nodes.me);
  if (by_all) make_share(mine);
  if (sync.leads()) {
    sync.await_all([&] {
      if (!by_all) make(mine);
    });
    spread_areas(sync, exchange, nodes, leaders, place_of);
    sync.release();
  } else {
    sync.arrive_and_wait();
  }
  take([&](int node) -> const std::byte* { return area + place_of(node); });
}

}  // namespace atrium
