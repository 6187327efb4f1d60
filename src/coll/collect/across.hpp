// Large blocks between nodes: leaders put those of their node into the dests of their counterparts, and neighbours copy them.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll/barrier/barrier.hpp"
#include "coll/collect/source_place.hpp"
#include "coll/steps/leaders.hpp"
#include "coll/steps/share.hpp"
#include "team/leader_count.hpp"

namespace atrium {

struct BlockPlace {
  size_t at;  // in dest
  size_t bytes;
};

// The blocks of a node are dealt to its leaders in turn. place_of(member): where a member's block goes.
template <class PlaceOf>
void collect_across(Team& team, void* dest, const void* source, PlaceOf place_of) {
  TeamNodes& nodes = *team.nodes;
  const Team& node = nodes.node;
  const int leaders = leaders_of(nodes);
  const bool leads = node.me < leaders;
  const auto dest_of = [&](int member) { return static_cast<std::byte*>(dest) + place_of(member).at; };
  const auto neighbours = nodes.members.pes_here();

  Share places(nodes.node, source_place_bytes);
  if (place_of(team.me).bytes > 0) tell_source(places.mine(), team, source);
  places.open();  // every member's source is there
  // Requires: the member brings something.
  const auto source_of = [&](int i) { return node.there(told_source(places.of(i)), i); };
  for (int step = 1; leads && step < nodes.count(); ++step) {
    for (int i = node.me; i < node.size; i += leaders) {
      const int member = neighbours[static_cast<size_t>(i)];
      if (place_of(member).bytes > 0)
        put_to(nodes.leaders, nodes.after(step), dest_of(member), source_of(i), place_of(member).bytes);
    }
  }
  for (int i = 0; i < node.size; ++i) {
    const int member = neighbours[static_cast<size_t>(i)];
    if (place_of(member).bytes > 0) atrium::copy(dest_of(member), source_of(i), place_of(member).bytes);
  }
  if (leads) synchronise_leaders(nodes.leaders);
  synchronise(nodes.node);
  for (int step = 1; step < nodes.count(); ++step) {
    int leader = 0;
    for (const int member : nodes.members.pes_of(nodes.after(step))) {
      std::byte* place = dest_of(member);
      if (leader != node.me && place_of(member).bytes > 0)
        atrium::copy(place, node.there(place, leader), place_of(member).bytes);
      leader = (leader + 1) % leaders;
    }
  }
  synchronise(nodes.node);  // every member has read my dest
}

}  // namespace atrium
