// The predefined teams, and the end of all teams.
// SPDX-License-Identifier: BSD-3-Clause
#include "team/world.hpp"

#include <new>

#include "arena/arena.hpp"
#include "arena/delta_table.hpp"
#include "arena/system.hpp"
#include "core/never_destroyed.hpp"
#include "core/per_pe.hpp"
#include "team/block.hpp"
#include "team/directory.hpp"
#include "team/draft.hpp"
#include "team/nodes.hpp"
#include "team/same_call.hpp"

namespace atrium {
namespace {

using Predefined = Exported<Team, 1024>;

}  // namespace

// Public, under the names that include/shmem/types.h gives them.
extern ATRIUM_PER_PE Predefined world __asm__("atrium_world_team_1") __attribute__((visibility("default")));
extern ATRIUM_PER_PE Predefined shared __asm__("atrium_shared_team_1") __attribute__((visibility("default")));
// Aligned here and not by their type: malloc takes five times as long for what it must align.
alignas(64) ATRIUM_CONSTINIT_VECTOR Predefined world, shared;

constinit Team& world_team = world.object;
constinit Team& shared_team = shared.object;

namespace {

// My block, of so many bytes: the same on every node, because what is allocated next must lie alike.
// False, and nothing undone, when memory is exhausted.
bool allot_blocks(Team& team, size_t bytes) {
  team.block = static_cast<TeamBlock*>(allocate_system(bytes));
  if (!team.block) return false;
  team.nodes = lay_on_nodes(team);
  connect_on_nodes(team);
  return true;
}

bool build_world(const Placement& pes, const ptrdiff_t* delta) {
  world_team.me = pes.me();
  world_team.size = pes.pes();
  world_team.delta = delta;
  world_team.spans_nodes = pes.nodes() > 1;
  return give_system_deltas(world_team) && allot_blocks(world_team, most_block_bytes(pes.pes(), pes.nodes()));
}

bool has_own_deltas(const Team& team) {
  return team.delta && (team.delta < world_team.delta || team.delta >= world_team.delta + world_team.size);
}

// Where the numbers of my node's PEs follow each other, the world's deltas serve: those around them are AWAY.
bool build_shared(const Placement& pes) {
  shared_team.me = pes.place();
  shared_team.size = pes.places();
  shared_team.set_members({pes.pes_here().begin(), pes.pes_here().end()});
  const int first = shared_team.world_pe(0), last = shared_team.world_pe(pes.places() - 1);
  if (last - first == pes.places() - 1) {
    shared_team.delta = world_team.delta + first;
  } else {
    auto table = create_delta_table(pes.places());
    if (!table) return false;
    for (int place = 0; place < pes.places(); ++place)
      (*table)[place] = world_team.delta[shared_team.world_pe(place)];
    shared_team.delta = *table;
  }
  return give_system_deltas(shared_team) && allot_blocks(shared_team, block_bytes_up_to(pes.most_places()));
}

void clear_predefined(Team& team) {
  run_destroy_hook(team);
  if (team.block) free_system(team.block);
  if (&team == &shared_team && has_own_deltas(team))
    destroy_delta_table(const_cast<ptrdiff_t*>(team.delta), team.size);
  team = Team{};
}

}  // namespace

Result<void> create_world_teams(const Placement& pes, const ptrdiff_t* delta) {
  if (build_world(pes, delta) && build_shared(pes) && create_directory()) return {};
  destroy_world_teams();
  return no_system_memory("the teams of " + std::to_string(pes.pes()) + " PEs");
}

void show_world_teams(const ptrdiff_t* inline_delta) {
  world_team.inline_delta = inline_delta;
  shared_team.inline_delta = inline_delta == world_team.delta ? shared_team.delta : inline_delta;
}

void destroy_world_teams() {
  destroy_directory();
  forget_all_teams();
  clear_predefined(shared_team);
  clear_predefined(world_team);
}

void team_destroy(shmem_team_t team, const void* returns) {
  if (team == SHMEM_TEAM_INVALID) return;
  const bool is_world = team == &world.object;
  if (is_world || team == &shared.object)
    return checking() ? refuse_end_of(is_world ? "SHMEM_TEAM_WORLD" : "SHMEM_TEAM_SHARED") : void();
  require_team(team);
  const CollectiveCall call{CollectiveRoutine::destruction};
  require_same_call(*team, call);
  compare_last_call(*team, call, returns);  // from here on no member reads or writes my block
  forget_team(*team);
}

}  // namespace atrium

// For who cannot take an address: Fortran, and programs compiled when the handles were variables.
#undef SHMEM_TEAM_WORLD
#undef SHMEM_TEAM_SHARED
extern "C" {
__attribute__((visibility("default"))) shmem_team_t SHMEM_TEAM_WORLD = &atrium::world.object;
__attribute__((visibility("default"))) shmem_team_t SHMEM_TEAM_SHARED = &atrium::shared.object;
}
