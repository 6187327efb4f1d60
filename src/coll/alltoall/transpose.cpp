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
// Members have to be numbered node after node, as many on each, so that the blocks for a node lie together, and those from it, too.
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

// The swaps of a node. They go by *tiles*, the blocks of some members for some others, which fill a cache line of each of them, so that
// no two members write to one line again and again.
class NodeSwaps {
 public:
  static constexpr size_t line_bytes = 64;

  NodeSwaps(const TeamNodes& nodes, const AlltoallBlocks& blocks)
      : nodes_(nodes),
        blocks_(blocks),
        members_(nodes.node.size),
        tile_(std::clamp(static_cast<int>(line_bytes / blocks.bytes()), 1, members_)),
        tiles_((members_ + tile_ - 1) / tile_) {}

  // My share: of each node each tile is swapped with half of the others, by a member each.
  void do_my_share() const {
    for (int task = nodes_.node.me; task < nodes_.count() * tiles_; task += members_) {
      const int from = task / tiles_, tile = task % tiles_;
      if (from == nodes_.me) continue;
      for (int distance = 0; distance <= tiles_ / 2; ++distance) {
        const bool is_swapped_from_there = 2 * distance == tiles_ && tile >= distance;
        if (!is_swapped_from_there) swap_tiles(from, tile, (tile + distance) % tiles_);
      }
    }
  }

 private:
  void swap_tiles(int from, int one, int other) const {
    for (int i = one * tile_; i < end_of(one); ++i) {
      for (int j = one == other ? i + 1 : other * tile_; j < end_of(other); ++j)
        swap_blocks(blocks_, block(from, i, j), block(from, j, i));
    }
  }
  int end_of(int tile) const { return std::min((tile + 1) * tile_, members_); }
  // In the dest of my neighbour `owner`.
  std::byte* block(int from, int owner, int which) const {
    return nodes_.node.there(blocks_.dest_block(from * members_ + which), owner);
  }

  const TeamNodes& nodes_;
  const AlltoallBlocks& blocks_;
  int members_, tile_, tiles_;
};

// What I have for the members of each other node, together; for those of mine, into their dests.
void put_by_nodes(const Team& team, const AlltoallBlocks& blocks) {
  const TeamNodes& nodes = *team.nodes;
  const int members = nodes.node.size;
  AlltoallBlocks of_a_node = blocks;
  of_a_node.nelems *= static_cast<size_t>(members);
  std::byte* const place = blocks.dest_block(nodes.me * members);
  for (int step = 1; step < nodes.count(); ++step) {
    const int to = nodes.after(step);
    put_block(team, to * members + nodes.node.me, of_a_node, place, blocks.source_block(to * members));
  }
  for (int step = 1; step <= members; ++step) {
    const int member = nodes.me * members + (nodes.node.me + step) % members;
    put_block(team, member, blocks, blocks.dest_block(team.me), blocks.source_block(member));
  }
}

void run(Team& team, const AlltoallBlocks& blocks) {
  TeamNodes& nodes = *team.nodes;
  if (!can_transpose(nodes))
    return alltoall_family
        .hand_over(alltoall_by::transpose, alltoall_by::put,
                   "members are not numbered node after node, or nodes have unequal numbers of them")
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
