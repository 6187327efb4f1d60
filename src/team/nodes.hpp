// How a team that spans nodes lies on them: who is on my node, and who leads on the others.
// SPDX-License-Identifier: BSD-3-Clause
//
// Words.      *Node team*: the members on my node, a team of its own on which everything runs that runs on one node.
//             Its member 0 is the node's *leader*; of large data slice i is in the hands of its member i. *Leaders*: of
//             each node the member that has my number in its node team, one team for each such number; the numbers go as
//             far as leaders_of() says. *Position*: a member's place when all are listed node by node.
//             *Area*: memory of a node's leader into which those of other nodes write. *Buffer*: of all leaders, for large operands.
//             *Board*: what a node's leader knows of teams that are being made, an entry for each node (team/member_barrier.hpp).
// Invariants. Nodes are numbered by their lowest member, so every member counts them alike. Both teams are hidden: nobody
//             has a handle, and they live in the block of the team they belong to, behind its own:
//
//               | block of the team | of the node team |    every member's ends here
//                 | of the leaders | six flags per node | buffer |    every leader's here
//                 | two halves of the area | two halves of the board |    and the node's leader's here
//
//             A half of the area is used again by the second exchange after (coll/steps/leaders.hpp), the buffer by the next
//             one (coll/steps/leader_buffer.hpp). Tables of all members are ranges of their own placement, or none.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "team/block.hpp"
#include "team/block_offsets.hpp"
#include "team/team.hpp"
#include "topology/placement.hpp"

namespace atrium {

// A message between nodes carries so much in one record (wire/message.hpp); more is a write of the engine's.
inline constexpr size_t most_in_a_record = 8192;
// Data up to this is copied when it is sent, so that the sender need not wait (wire/protocol.hpp).
inline constexpr size_t most_by_copy = size_t{64} << 10;
// What all members of a team may have for each other in a collective of small data.
inline constexpr size_t area_bytes = size_t{64} << 10;
// Arrays of so much are reduced in one exchange (coll/reduce/leaders_put.cpp).
inline constexpr size_t leader_buffer_bytes = size_t{64} << 10;

// What a node's members publish while teams are made, in the words of its leader, which other leaders pass on.
inline constexpr size_t ranges_in_an_entry = 4;
struct NodePublication {
  int64_t refuses;    // the first member of the node that does; -1: none
  int32_t counts[2];  // of ranges: those of the first new team, then those of the second
  BlockRange ranges[ranges_in_an_entry];
};

struct TeamNodes {
  Placement members;       // of the team, in its numbers
  std::vector<int> first;  // by node: the position of its first member; at the end, the team's size
  int me = 0;              // my node
  Team node;
  Team leaders;                   // of no members where I am none of them
  uint64_t buffer_exchanges = 0;  // as TeamProgress: how often I have taken part in one
  uint64_t spread_syncs = 0;      // ... in how many barriers between nodes
  uint64_t notices_sent = 0;      // the last of mine that was sent to another leader (team/same_call.hpp)
  int noticed = 0;                // the node from which a notice may have come to mine
  uint64_t relayed = 0;           // ... and how many pieces of broadcasts my leaders have passed on
  // How many leaders of a node spread (coll/steps/spread.hpp), and pass blocks on (coll/alltoall/bruck_plan.hpp); 0: not known yet.
  mutable int spreading_leaders = 0, passing_leaders = 0;

  void place(Placement members_on_nodes);

  int count() const { return members.nodes(); }
  int position(int member) const {
    return first[static_cast<size_t>(members.node_of(member))] + members.place_of(member);
  }
  // Members lie node after node: each one's position is its number.
  bool in_order() const { return members.lies_node_after_node(); }
  int members_on(int which) const {
    return first[static_cast<size_t>(which) + 1] - first[static_cast<size_t>(which)];
  }
  int most_members() const { return members.most_places(); }
  // Pairs of a member of one node and one of another: of the two largest nodes.
  size_t most_pairs() const { return most_pairs_; }
  // How many members the smallest node has: no more teams of leaders there are.
  int most_leaders() const { return most_leaders_; }
  bool leads() const { return node.me < leaders_; }
  // As many teams of leaders there are.
  int leader_count() const { return leaders_; }
  // The node so many after mine, around the team.
  int after(int step) const { return (me + step) % count(); }

  // Of that leader, or where my addresses lead to it: its flags for what comes from node `from`, a half of its area,
  // its buffer.
  enum class Flag { exchange, operands, results, pieces, syncs, meetings };
  Epoch& flag(int leader, int from, Flag which) const;
  // Of a leader of my node: its flag for another one. Requires: there are more nodes than that one's number.
  Epoch& flag_of_neighbour(int leader, int from) const;
  std::byte* area(int leader, int half) const;
  std::byte* buffer(int leader) const;
  NodePublication* board(int leader, int half) const;
  // Of the first leader of another node, whatever my number is. `whole`: the team that these are the nodes of.
  std::byte* area_of_first(const Team& whole, int node, int half) const;
  // The same of the leader of my node.
  std::byte* area_of_node(int half) const;
  const NodePublication* board_of_node(int half) const;

 private:
  TeamBlock& block_of_neighbour(int leader) const;
  Epoch* flags(TeamBlock& leaders_block, Flag which) const;
  std::byte* behind(TeamBlock& leaders_block, size_t bytes) const;
  int count_fewest_members() const;
  size_t count_most_pairs() const;

  std::vector<ptrdiff_t> node_deltas_, leaders_deltas_;
  int whole_size_ = 0, leaders_ = 0, most_leaders_ = 0;
  size_t most_pairs_ = 0;

  friend std::shared_ptr<TeamNodes> lay_on_nodes(const Team& team);
  friend void connect_on_nodes(const Team& team);
};

// What my block takes, with the hidden teams behind it where the team spans nodes. Requires: it is laid on nodes.
size_t block_bytes_of(const Team& team);
// The most that a block takes, on a team of all PEs on so many nodes.
size_t most_block_bytes(int pes, int nodes);

// Who is where. Null for a team on one node.
std::shared_ptr<TeamNodes> lay_on_nodes(const Team& team);
// Makes the hidden teams. Requires: the team is laid on nodes, and its blocks are known.
void connect_on_nodes(const Team& team);

}  // namespace atrium
