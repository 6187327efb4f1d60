// How the members of a team wait for each other while teams are made and destroyed, and exchange the addresses of new blocks.
// SPDX-License-Identifier: BSD-3-Clause
//
// The collectives have barriers of their own, chosen by rules; this one is below them and always the same.
#pragma once

#include "team/block.hpp"
#include "team/block_offsets.hpp"
#include "team/team.hpp"

namespace atrium {

// Returns when every member has come, and sees everything that each wrote before it came.
void member_barrier(Team& team);
// The same. With the first flag my notice goes into the block of the member after me, as its last_call.
void member_barrier_with(Team& team, const Notice& mine);

// What the members of several nodes have published.
struct PublishedByNodes {
  int first_refusal = -1;
  BlockOffsets offsets[2];
};

// What all members have published at one such occasion. Readable until the next but one.
class Assembly {
 public:
  // Publishes `mine`, and waits for all.
  Assembly(Team& team, const Publication& mine);

  // The first member that has refused; -1: all accept.
  int first_refusal() const;
  // The new block (0 or 1 of the publication) of a member of the new team lies so far into its system memory.
  int64_t offset_of(int member, int which) const;
  // The same by ranges. Requires: the team spans nodes, and nobody refuses.
  const BlockOffsets& offsets(int which) const { return by_nodes_.offsets[which]; }

 private:
  Team& team_;
  int half_ = 0;
  PublishedByNodes by_nodes_;
};

// On several nodes each node's leader has a board: it sums up what its node's members have published, leaders exchange that, and members
// read.
PublishedByNodes publish_at_leaders(Team& team, const Publication& mine);

}  // namespace atrium
