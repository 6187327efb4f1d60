// Allocation, teams and contexts, beginning and end.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/model/memory.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include "interpose/library.hpp"
#include "race/model/blocks.hpp"
#include "race/model/order.hpp"
#include "race/model/setup.hpp"
#include "race/report/finding.hpp"
#include "race/report/say.hpp"

namespace atrium::race {

Job job;
bool working = false, threads_exist = false, threads_unseen = false;

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

// A check that was asked for and cannot be made is no check passed. What has been said is out before anybody ends.
[[noreturn]] void refuse() {
  pshmem_barrier_all();
  pshmem_global_exit(1);
}

void note_init(const Site& site) {
  static bool once = false;
  if (std::exchange(once, true)) {
    if (job.finalized && job.me == 0)
      say_once("what follows the first shmem_finalize is not checked, though shmem_init is called again");
    return;
  }
  if (!wanted()) {
    if (job.instrumented && pshmem_my_pe() == 0)
      say(std::string("the program is instrumented and runs slower, but nothing is checked: ") +
          interpose::way_to_check + " shows races");
    return;
  }
  interpose::learn_handles();
  if (!set_up(site)) refuse();
  add_context(SHMEM_CTX_DEFAULT, 0, nullptr, 0);
  add_world_teams();
  working = true;
  pshmem_sync_all();
}

void note_finalize(const Site& site) {
  if (!working) return;
  {
    const BarrierUse use(site, Group::world(), true);
    pshmem_barrier_all();
  }
  working = false;
  watch_private(false);
  job.finalized = true;
  if (job.me == 0) tell_all();
  pshmem_barrier_all();
  job.failed = anything_found();
}

void note_exit() {
  if (working) tell_all();
}

}  // namespace atrium::race
