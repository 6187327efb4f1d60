// What Python's collect() asks before it calls shmem_collectmem: it knows how large its arrays are, and C's does not.
// SPDX-License-Identifier: BSD-3-Clause
//
// It waits for the other members, so reports name it as the routine that the program has called (check/caller.cpp).
#include "coll/families.hpp"
#include "team/team.hpp"

#pragma GCC visibility push(default)
extern "C" {

// Collective: how many bytes all members bring, and the fewest that a dest has room for.
void atrium_python_collectmem(shmem_team_t team, size_t bytes, size_t room, size_t* all, size_t* least_room) {
  const atrium::Together together = atrium::sum_up(atrium::team_of(team), {bytes, room});
  *all = together.bytes;
  *least_room = together.least_room;
}

}  // extern "C"
#pragma GCC visibility pop
