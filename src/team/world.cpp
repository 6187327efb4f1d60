// The predefined teams, and the end of all teams.
// SPDX-License-Identifier: BSD-3-Clause
#include "team/world.hpp"

#include <new>

#include "arena/arena.hpp"
#include "core/everlasting.hpp"
#include "team/block.hpp"
#include "team/directory.hpp"
#include "team/draft.hpp"
#include "team/meeting.hpp"

namespace atrium {

namespace {

constinit Everlasting<Team> world, shared;

Error no_room(int size) {
  return Error{"cannot create the teams of the world",
               "the system area of this PE is full",
               "allocating the blocks of " + std::to_string(size) + " members",
               {}};
}

// Fails without undoing: destroy_world_teams frees what is there.
bool build_predefined(Team& team, int me, int size, const ptrdiff_t* delta) {
  team.me = me;
  team.size = size;
  team.delta = delta;
  team.blocks = new (std::nothrow) TeamBlock*[static_cast<size_t>(size)]();
  auto* mine = static_cast<TeamBlock*>(allocate_system(block_bytes(size)));
  if (!team.blocks || !mine) return false;
  for (int member = 0; member < size; ++member) team.blocks[member] = team.there(mine, member);
  return true;
}

void clear_predefined(Team& team) {
  run_destroy_hook(team);
  if (team.blocks && team.blocks[team.me]) free_system(team.blocks[team.me]);
  delete[] team.blocks;
  team = Team{};
}

bool is_predefined(const Team& team) { return &team == &world.object || &team == &shared.object; }

}  // namespace

Team& world_team = world.object;
Team& shared_team = shared.object;

Result<void> create_world_teams(int me, int size, const ptrdiff_t* delta) {
  if (build_predefined(world_team, me, size, delta) && build_predefined(shared_team, me, size, delta) &&
      create_directory()) {
    return {};
  }
  destroy_world_teams();
  return no_room(size);
}

void show_world_teams(const ptrdiff_t* inline_delta) {
  world_team.inline_delta = shared_team.inline_delta = inline_delta;
}

void destroy_world_teams() {
  destroy_directory();
  forget_all_teams();
  clear_predefined(shared_team);
  clear_predefined(world_team);
}

void team_destroy(shmem_team_t team) {
  if (team == SHMEM_TEAM_INVALID || is_predefined(*team)) return;
  meet(*team);  // from here on nobody writes into my block or reads from it
  forget_team(*team);
}

}  // namespace atrium

extern "C" {
__attribute__((visibility("default"))) shmem_team_t SHMEM_TEAM_WORLD = &atrium::world_team;
__attribute__((visibility("default"))) shmem_team_t SHMEM_TEAM_SHARED = &atrium::shared_team;
}
