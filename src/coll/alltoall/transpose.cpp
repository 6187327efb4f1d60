// alltoall by transposition: what I have for a node goes in one message to the member with my number there, then neighbours swap blocks.
// SPDX-License-Identifier: BSD-3-Clause
//
// After the messages, in the places of node s in the dests of a node of three members (s.j>i: from member j of node s, for member i
// of this one):
//
//   member 0 | s.0>0 | s.0>1 | s.0>2 |               | s.0>0 | s.1>0 | s.2>0 |
//   member 1 | s.1>0 | s.1>1 | s.1>2 |    swapped    | s.0>1 | s.1>1 | s.2>1 |
//   member 2 | s.2>0 | s.2>1 | s.2>2 |               | s.0>2 | s.1>2 | s.2>2 |
//
// A sync comes first: a program that calls again while another PE still looks at its dest, without a sync of its own, gets whole blocks
// there from every other algorithm.
//
// Each member sends one message to each other node, where `put` sends one to each member there, and needs no memory but the dests.
// Members have to be numbered node after node, so that the blocks for a node lie together, and those from it, too. Of two nodes of
// which one has more members, the members that both have swap so; blocks from and for the others are put where they belong.
#include <algorithm>

#include "coll/alltoall/alltoall.hpp"
#include "coll/alltoall/node_blocks.hpp"
#include "coll/barrier/barrier.hpp"

namespace atrium {
namespace {

void swap_bytes(std::byte* one, std::byte* other, size_t bytes) {
  std::byte kept[256];
  for (size_t done = 0; done < bytes; done += sizeof kept) {
    const size_t length = std::min(bytes - done, sizeof kept);
    atrium::copy(kept, one + done, length);
    atrium::copy(one + done, other + done, length);
    atrium::copy(other + done, kept, length);
  }
}

void swap_blocks(const AlltoallBlocks& blocks, std::byte* one, std::byte* other) {
  if (blocks.dest_stride == 1) return swap_bytes(one, other, blocks.bytes());
  const ptrdiff_t step = blocks.dest_stride * static_cast<ptrdiff_t>(blocks.element);
  for (size_t i = 0; i < blocks.nelems; ++i, one += step, other += step)
    swap_bytes(one, other, blocks.element);
}

int first_of(const TeamNodes& nodes, int node) { return nodes.first[static_cast<size_t>(node)]; }

// How many members that node and mine have at least.
int members_of_both(const TeamNodes& nodes, int node) {
  return std::min(nodes.node.size, nodes.members_on(node));
}

// The swaps of a node. They go by *tiles*, the blocks of some members for some others, which fill a cache line of each of them, so that
// no two members write to one line again and again.
class NodeSwaps {
 public:
  static constexpr size_t line_bytes = 64;

  NodeSwaps(const TeamNodes& nodes, const AlltoallBlocks& blocks)
      : nodes_(nodes),
        blocks_(blocks),
        tile_(std::clamp(static_cast<int>(line_bytes / blocks.bytes()), 1, nodes.node.size)) {}

  // My share: of each node each tile is swapped with half of the others, by a member each.
  void do_my_share() const {
    const int most = tiles_of(nodes_.node.size);
    for (int task = nodes_.node.me; task < nodes_.count() * most; task += nodes_.node.size) {
      const int from = task / most, tile = task % most, tiles = tiles_of(members_of_both(nodes_, from));
      if (from == nodes_.me || tile >= tiles) continue;
      for (int distance = 0; distance <= tiles / 2; ++distance) {
        const bool is_swapped_from_there = 2 * distance == tiles && tile >= distance;
        if (!is_swapped_from_there) swap_tiles(from, tile, (tile + distance) % tiles);
      }
    }
  }

 private:
  int tiles_of(int members) const { return (members + tile_ - 1) / tile_; }
  void swap_tiles(int from, int one, int other) const {
    const int members = members_of_both(nodes_, from);
    const auto end_of = [&](int tile) { return std::min((tile + 1) * tile_, members); };
    for (int i = one * tile_; i < end_of(one); ++i) {
      for (int j = one == other ? i + 1 : other * tile_; j < end_of(other); ++j)
        swap_blocks(blocks_, block(from, i, j), block(from, j, i));
    }
  }
  // In the dest of my neighbour `owner`.
  std::byte* block(int from, int owner, int which) const {
    return nodes_.node.there(blocks_.dest_block(first_of(nodes_, from) + which), owner);
  }

  const TeamNodes& nodes_;
  const AlltoallBlocks& blocks_;
  int tile_;
};

// What I have for the members of another node: together what they swap, and into their dests what they do not.
void put_to_node(const Team& team, const AlltoallBlocks& blocks, int to) {
  const TeamNodes& nodes = *team.nodes;
  const int me = nodes.node.me, first = first_of(nodes, to), both = members_of_both(nodes, to);
  const bool swaps = me < both;
  if (swaps) {
    AlltoallBlocks together = blocks;
    together.nelems *= static_cast<size_t>(both);
    put_block(team, first + me, together, blocks.dest_block(first_of(nodes, nodes.me)),
              blocks.source_block(first));
  }
  for (int i = swaps ? both : 0; i < nodes.members_on(to); ++i)
    put_block(team, first + i, blocks, blocks.dest_block(team.me), blocks.source_block(first + i));
}

void put_by_nodes(const Team& team, const AlltoallBlocks& blocks) {
  const TeamNodes& nodes = *team.nodes;
  const int members = nodes.node.size;
  for (int step = 1; step < nodes.count(); ++step) put_to_node(team, blocks, nodes.after(step));
  for (int step = 1; step <= members; ++step) {
    const int member = first_of(nodes, nodes.me) + (nodes.node.me + step) % members;
    put_block(team, member, blocks, blocks.dest_block(team.me), blocks.source_block(member));
  }
}

void run(Team& team, const AlltoallBlocks& blocks) {
  TeamNodes& nodes = *team.nodes;
  if (!nodes.in_order())
    return alltoall_family
        .hand_over(alltoall_by::transpose, alltoall_by::put, "members are not numbered node after node")
        .run(team, blocks);
  synchronise(team);
  put_by_nodes(team, blocks);
  synchronise(team);
  NodeSwaps(nodes, blocks).do_my_share();
  synchronise(nodes.node);
}

}  // namespace

constinit const AlltoallAlgorithm alltoall_by::transpose{"transpose", run, any_bytes, any_members,
                                                         ServedNodes::many};

}  // namespace atrium
