// What the rules ask of the nodes of a team (When::where). `bytes` of each member; a block's in alltoall.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "coll/select/algorithm.hpp"

namespace atrium {

// Each message between nodes costs a CPU a microsecond or more, as over TCP.
NodesTest messages_cost;
// A node has several members, with CPUs of their own.
NodesTest nodes_are_shared;
// Divided among the nodes it is no more for each.
template <size_t most>
bool at_most_per_node(const TeamNodes& nodes, size_t bytes) {
  return bytes / static_cast<size_t>(nodes.count()) <= most;
}
// The largest slice of a leader goes through the buffers at once (coll/steps/leader_buffer.hpp).
NodesTest takes_one_exchange;
// The members of the fullest node help their leaders (coll/select/family.hpp).
NodesTest all_work_on_fullest;
// Several leaders of a node share the rounds between nodes, which are fewer then (coll/steps/spread.hpp).
NodesTest leaders_share_rounds;
// They had better spread the nodes' sums than combine them (coll/reduce/leaders_spread.cpp). Where each leader can send to all others at
// once, a second round takes longer, unless messages cost much. Where they do, two pieces are worth it, if each takes one round or the
// other way is longer because the nodes are no power of two.
NodesTest spreads_sums;
// The same for the sums before each node, a piece at a time (coll/scan/leaders_spread.cpp).
NodesTest spreads_scans;
// Leaders that pass on operands of so many bytes, in rounds, piece after piece, send less than all members would that exchange slices with
// all of other nodes: fewer bytes, where a node has many members, or fewer messages ([simulated], coll/scan).
NodesTest leaders_send_less;

}  // namespace atrium
