// Teams: ordered groups of PEs with their own numbering (specification section 9.4).
// SPDX-License-Identifier: BSD-3-Clause
//
// Words.      A *member* is a PE of a team, named by its number in the team. A *block* is the team's piece of each
//             member's system memory: flags and mailboxes that the collectives use (team/block.hpp).
// Invariants. Members are a strided range of the world: member i is world PE `start + i * stride`. (Every way in which
//             the standard makes a team keeps that true: strided splits of strided teams, and rows and columns of one.)
//             `delta[i]` is what to add to my address of a symmetric object to reach member i's copy.
//             `blocks[i]` is where I see member i's block. Both are private memory, built at creation.
// Thread safety. One thread at a time creates, uses or destroys a given team collectively; different teams are independent.
#pragma once

#include <cstddef>
#include <vector>

#include "shmem/types.h"

namespace atrium {
struct TeamBlock;
struct Context;
}  // namespace atrium

struct atrium_team {
  int me = -1;     // my number in the team
  int size = 0;    // members
  int start = 0;   // world PE of member 0
  int stride = 1;  // world PEs from one member to the next; may be negative

  const ptrdiff_t* delta = nullptr;  // true deltas, indexed by member; AWAY around the valid range
  const ptrdiff_t* door = nullptr;   // what contexts of this team show to the inline path: `delta`, or all AWAY
  atrium::TeamBlock** blocks = nullptr;

  shmem_team_config_t config{};
  std::vector<atrium::Context*> contexts;  // shareable and private ones made on this team and not yet destroyed

  int world_pe(int member) const { return start + member * stride; }
  // The member that is world PE `pe`, or -1.
  int member_of(int pe) const {
    const int distance = pe - start;
    if (distance % stride != 0) return -1;
    const int member = distance / stride;
    return member >= 0 && member < size ? member : -1;
  }
};

namespace atrium {
using Team = ::atrium_team;
}
