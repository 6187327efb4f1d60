// Broadcast by leaders: each has a slice, which goes from node to node in pieces, and which its neighbours copy.
// SPDX-License-Identifier: BSD-3-Clause
//
//   node of the root                     the next node                  the one after it
//   leader 0 -- slice 0 of source -->    leader 0 -- of its dest -->    leader 0
//   leader 1 -- slice 1 of source -->    leader 1 -- of its dest -->    leader 1
//
// However many nodes there are, each sends everything once; the root of a tree sends it to every child.
#include <algorithm>

#include "coll/barrier/barrier.hpp"
#include "coll/broadcast/broadcast.hpp"
#include "coll/steps/relay.hpp"
#include "coll/steps/slice.hpp"
#include "coll/steps/transfer.hpp"
#include "team/leader_count.hpp"

namespace atrium {
namespace {

// A piece: small beside the slice, because the last node waits for as many of them as there are nodes before it; but few
// messages may be unanswered between two nodes, and large ones keep a long way filled.
constexpr size_t least_piece = size_t{128} << 10, most_piece = size_t{1} << 20, pieces_of_a_slice = 8;

std::byte* at(const void* array, size_t place) {
  return const_cast<std::byte*>(static_cast<const std::byte*>(array)) + place;
}

// `data` is where the slice is on the root's node; elsewhere it is in my dest, as it comes.
void relay_slice(TeamNodes& nodes, int first, const Broadcast& task, const void* data, const Slice& slice) {
  const size_t bytes = slice.end - slice.begin;
  const size_t most = std::clamp(bytes / pieces_of_a_slice, least_piece, most_piece);
  const size_t pieces = (bytes + most - 1) / most;
  Relay relay(nodes, first, pieces);
  for (size_t piece = 0; piece < pieces; ++piece) {
    const size_t place = slice.begin + piece * most;
    if (!relay.begins()) relay.await(piece);
    relay.pass_on(piece, at(task.dest, place), at(relay.begins() ? data : task.dest, place),
                  std::min(most, slice.end - place));
  }
}

void copy_from_leaders(const Team& node, const Broadcast& task, int leaders) {
  for (int leader = 0; leader < leaders; ++leader) {
    const Slice slice = slice_of(leader, leaders, task.bytes, 1);
    if (leader == node.me || slice.begin == slice.end) continue;
    atrium::copy(at(task.dest, slice.begin), node.there(at(task.dest, slice.begin), leader),
                 slice.end - slice.begin);
  }
}

void run(Team& team, const Broadcast& task) {
  if (!task.may_write_ahead())
    return broadcasts
        .hand_over(broadcast_by::leaders, broadcast_by::two_level,
                   "the destination may not be written before its owner has come")
        .run(team, task);
  TeamNodes& nodes = *team.nodes;
  Team& node = nodes.node;
  const int first = nodes.members.node_of(task.root), leaders = leaders_of(nodes);
  const bool is_first = nodes.me == first;
  const void* data = nullptr;
  if (is_first) {
    data = node.there(task.source, nodes.members.place_of(task.root));
    synchronise(node);  // the root has come
  }
  if (node.me < leaders) relay_slice(nodes, first, task, data, slice_of(node.me, leaders, task.bytes, 1));
  if (team.me == task.root)
    task.copy_at_root();
  else if (is_first)
    atrium::copy(task.dest, data, task.bytes);
  settle();
  if (!is_first) {
    synchronise(node);  // every leader has its slice
    copy_from_leaders(node, task, leaders);
  }
  synchronise(node);  // all have read my data
}

}  // namespace

constinit const BroadcastAlgorithm broadcast_by::leaders{"leaders", run, any_bytes, any_members,
                                                         ServedNodes::many};

}  // namespace atrium
