// What members publish while teams are made, on several nodes: one board of each node.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "team/disseminate.hpp"
#include "team/meeting.hpp"
#include "team/nodes.hpp"

namespace atrium {
namespace {

// The publications of the nodes `begin` to `end` - 1.
void tell_leader(const TeamNodes& nodes, int leader, int half, int begin, int end) {
  const auto at = static_cast<size_t>(nodes.first[static_cast<size_t>(begin)]),
             behind = static_cast<size_t>(nodes.first[static_cast<size_t>(end)]);
  write_into(nodes.leaders, leader, nodes.board(leader, half) + at, nodes.board(nodes.me, half) + at,
             (behind - at) * sizeof(Publication));
}

// In each round a leader publishes for twice as many nodes: its own and those before it, around the team.
void spread(TeamNodes& nodes, int half) {
  const uint64_t epoch = ++nodes.leaders.progress.meetings;
  disseminate(nodes.leaders, &TeamBlock::meetings, epoch, [&](int next, int round) {
    const int known = std::min(1 << round, nodes.count() - (1 << round)), first = nodes.me - known + 1;
    if (first < 0) tell_leader(nodes, next, half, nodes.count() + first, nodes.count());
    tell_leader(nodes, next, half, std::max(first, 0), nodes.me + 1);
    raise(nodes.leaders, next, &TeamBlock::meetings, round, epoch);
  });
}

}  // namespace

const Publication* publish_at_leader(Team& team, int half, const Publication& mine) {
  TeamNodes& nodes = *team.nodes;
  Team& node = nodes.node;
  Publication* const board = nodes.board_of_node(half);
  board[nodes.position(team.me)] = mine;
  const uint64_t epoch = ++node.progress.meetings;
  if (node.me != 0) {
    add_at(node, 0, &TeamBlock::neighbours);
    await(node, &TeamBlock::meetings, 0, epoch, WaitKind::barrier);
    return board;
  }
  node.progress.neighbours_expected += static_cast<uint64_t>(node.size) - 1;
  await(node, &TeamBlock::neighbours, node.progress.neighbours_expected, WaitKind::barrier);
  spread(nodes, half);
  for (int member = 1; member < node.size; ++member) raise(node, member, &TeamBlock::meetings, 0, epoch);
  return board;
}

}  // namespace atrium
