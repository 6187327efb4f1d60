// How the members of a team meet while teams are made and destroyed, and exchange the addresses of new blocks.
// SPDX-License-Identifier: BSD-3-Clause
//
// The collectives have syncs of their own, chosen by rules; this one is below them and always the same.
#pragma once

#include "team/block.hpp"
#include "team/team.hpp"

namespace atrium {

// Returns when every member has come, and sees everything that each wrote before it came.
void meet(Team& team);

// What all members have published at one such occasion. Readable until the next but one.
class Assembly {
 public:
  // Publishes `mine` and meets.
  Assembly(Team& team, const Publication& mine);

  // The first member that has refused; -1: all accept.
  int first_refusal() const;
  // How much farther into its system memory than mine the new block (0 or 1 of the publication) of a member lies.
  ptrdiff_t shift_of(int member, int which) const;

 private:
  const Publication& of(int member) const;

  Team& team_;
  const Publication* board_;
};

// On several nodes each node's leader has a board: there its members publish, leaders exchange, and members read. By
// position. `half` alternates.
const Publication* publish_at_leader(Team& team, int half, const Publication& mine);

}  // namespace atrium
