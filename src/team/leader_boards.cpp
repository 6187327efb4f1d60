// What members publish while teams are made, on several nodes: one board of each node, with an entry for each node.
// SPDX-License-Identifier: BSD-3-Clause
//
// An entry holds a few ranges of offsets. What is more, because the members of a node have allocated differently, takes further rounds.
#include <algorithm>
#include <optional>
#include <vector>

#include "team/disseminate.hpp"
#include "team/member_barrier.hpp"
#include "team/nodes.hpp"
#include "topology/placement.hpp"

namespace atrium {
namespace {

// The entries of the nodes `begin` to `end` - 1.
void notify_leader(const TeamNodes& nodes, int leader, int half, int begin, int end) {
  write_into(nodes.leaders, leader, nodes.board(leader, half) + begin, nodes.board(nodes.me, half) + begin,
             static_cast<size_t>(end - begin) * sizeof(NodePublication));
}

// In each round a leader tells for twice as many nodes: its own and those before it, around the team.
void spread(TeamNodes& nodes, int half) {
  const uint64_t epoch = ++nodes.leaders.progress.barriers;
  disseminate(nodes.leaders, &TeamBlock::barriers, epoch, [&](int next, int round) {
    const int known = std::min(1 << round, nodes.count() - (1 << round)), first = nodes.me - known + 1;
    if (first < 0) notify_leader(nodes, next, half, nodes.count() + first, nodes.count());
    notify_leader(nodes, next, half, std::max(first, 0), nodes.me + 1);
    raise(nodes.leaders, next, &TeamBlock::barriers, round, epoch);
  });
}

// Returns the board when it has the entries of all nodes. entry() is my node's, called by its leader when all members are there.
template <class Entry>
const NodePublication* exchange_entries(TeamNodes& nodes, int half, Entry entry) {
  Team& node = nodes.node;
  const uint64_t epoch = ++node.progress.barriers;
  if (node.me != 0) {
    add_at(node, 0, &TeamBlock::neighbours);
    await(node, &TeamBlock::barriers, 0, epoch, WaitKind::barrier);
    return nodes.board_of_node(half);
  }
  node.progress.neighbours_expected += static_cast<uint64_t>(node.size) - 1;
  await(node, &TeamBlock::neighbours, node.progress.neighbours_expected, WaitKind::barrier);
  nodes.board(nodes.me, half)[nodes.me] = entry();
  spread(nodes, half);
  for (int member = 1; member < node.size; ++member) raise(node, member, &TeamBlock::barriers, 0, epoch);
  return nodes.board_of_node(half);
}

// What the members of my node have published: of their new blocks one list for both teams.
class NodeSummary {
 public:
  NodeSummary(const Team& team, int half) {
    for (int which = 0; which < 2; ++which) add_blocks(team, half, which);
    const TeamNodes& nodes = *team.nodes;
    for (int i = nodes.node.size; i-- > 0;)
      if (published_by(nodes, half, i).refused) refuses_ = nodes.members.pes_here()[static_cast<size_t>(i)];
  }

  // With its ranges from number `at` on.
  NodePublication entry(size_t at) const {
    NodePublication entry{refuses_, {counts_[0], counts_[1]}, {}};
    for (size_t i = at; i < std::min(at + ranges_in_an_entry, ranges_.size()); ++i)
      entry.ranges[i - at] = ranges_[i];
    return entry;
  }

 private:
  static const Publication& published_by(const TeamNodes& nodes, int half, int i) {
    return nodes.node.block_of(i).publications[half];
  }

  void add_blocks(const Team& team, int half, int which) {
    const TeamNodes& nodes = *team.nodes;
    BlockOffsets offsets;
    for (int i = 0; i < nodes.node.size; ++i) {
      const int64_t offset = published_by(nodes, half, i).offset[which];
      if (offset != no_block)
        offsets.add({placement.node(), placement.place_of(nodes.node.world_pe(i)), offset});
    }
    offsets.complete();
    counts_[which] = static_cast<int32_t>(offsets.ranges().size());
    ranges_.insert(ranges_.end(), offsets.ranges().begin(), offsets.ranges().end());
  }

  int64_t refuses_ = -1;
  int32_t counts_[2] = {};
  std::vector<BlockRange> ranges_;
};

}  // namespace

// A half of the boards is used again by the round after the next: nobody begins that one before all members of all nodes have come to
// the next, and so have read this one.
PublishedByNodes publish_at_leaders(Team& team, const Publication& mine) {
  TeamNodes& nodes = *team.nodes;
  PublishedByNodes all;
  std::optional<NodeSummary> summary;
  for (size_t at = 0, most = 1; at < most && all.first_refusal < 0; at += ranges_in_an_entry) {
    const int half = static_cast<int>(++team.progress.publications % 2);
    nodes.node.my_block().publications[half] = mine;
    const NodePublication* board = exchange_entries(nodes, half, [&] {
      if (!summary) summary.emplace(team, half);
      return summary->entry(at);
    });
    for (int node = 0; node < nodes.count(); ++node) {
      const NodePublication& entry = board[node];
      if (entry.refuses >= 0 && (all.first_refusal < 0 || entry.refuses < all.first_refusal))
        all.first_refusal = static_cast<int>(entry.refuses);
      const auto first = static_cast<size_t>(entry.counts[0]),
                 count = first + static_cast<size_t>(entry.counts[1]);
      most = std::max(most, count);
      for (size_t i = at; i < std::min(at + ranges_in_an_entry, count); ++i)
        all.offsets[i < first ? 0 : 1].add(entry.ranges[i - at]);
    }
  }
  for (BlockOffsets& offsets : all.offsets) offsets.complete();
  return all;
}

}  // namespace atrium
