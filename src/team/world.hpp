// The two predefined teams, from which all other teams are made.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "core/result.hpp"
#include "team/team.hpp"
#include "topology/placement.hpp"

namespace atrium {

extern Team& world_team;   // SHMEM_TEAM_WORLD points here
extern Team& shared_team;  // SHMEM_TEAM_SHARED: the PEs of my node, by place

// Builds both teams and the directory of active sets in this PE's system memory: 31 KiB, and 512 bytes per
// member up to 32 of them. `delta`: the world's true deltas; the table outlives the teams.
// Requires: every PE has made the same calls of allocate_system since its arena was built, because the blocks
// are found at my address + delta; `my_park_slot` is set; and no PE uses a team before all PEs have returned
// from here (the job makes all meet once more).
Result<void> create_world_teams(const Placement& pes, const ptrdiff_t* delta);

// Which table inlined code reads: `delta`, or one that is AWAY throughout; then all later teams read one
// too. It outlives the teams. Requires: create_world_teams; before any other team is made.
void show_world_teams(const ptrdiff_t* inline_delta);

// Destroys every team that is left, active sets and the predefined ones included. Local: the job has made
// sure that no PE uses a team any more. Afterwards create_world_teams may be called again.
void destroy_world_teams();

}  // namespace atrium
