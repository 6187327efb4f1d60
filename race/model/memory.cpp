// What allocation, teams and contexts mean to the race checker.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/model/memory.hpp"

#include "race/model/blocks.hpp"
#include "race/model/order.hpp"

namespace atrium::race {

Job job;
bool working = false, following = false, threads_exist = false, threads_unseen = false;

// The barrier of the routine is over, so that peers may already use their blocks: they wait for mine to be ready.
void note_allocated(const Site& site, void* block, size_t bytes, bool written) {
  {
    const BarrierUse use(site, Group::world(), false);
    if (block) add_block(block, bytes, origin_of(site, bytes), written);
    pshmem_sync_all();
  }
}

void note_freed(const Site& site, const void* block) {
  const BarrierUse use(site, Group::world(), true);
  pshmem_barrier_all();
  remove_block(block, origin_of(site, block_bytes(block)));
}

size_t size_of_block(const void* block) { return block_bytes(block); }

int world_pe(shmem_ctx_t ctx, int pe) {
  const Context& context = context_of(ctx);
  if (pe < 0 || pe >= (context.members ? context.size : job.pes)) return -1;
  return context.members ? context.members[pe] : pe;
}

void note_team(shmem_team_t team, shmem_team_t parent) { add_team(team, parent); }
void note_team_end(shmem_team_t team) { remove_team(team); }

void note_context(const void* ctx, shmem_team_t team) {
  if (ctx == SHMEM_CTX_INVALID) return;
  const Group group = Group::of_team(team);
  add_context(ctx, domain_of(team), group.members, group.size);
}

void note_context_end(const Site&, shmem_ctx_t ctx) {
  complete_context(here(), context_of(ctx));
  remove_context(ctx);
}

}  // namespace atrium::race
