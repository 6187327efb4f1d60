// Allocation, teams and contexts.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "race/model/collectives.hpp"
#include "race/model/job.hpp"
#include "race/model/site.hpp"

namespace atrium::race {

void note_allocated(const Site& site, void* block, size_t bytes, bool written);
void note_freed(const Site& site, const void* block);
size_t size_of_block(const void* block);
void note_team(shmem_team_t team, shmem_team_t parent);
void note_team_end(shmem_team_t team);
void note_context(const void* ctx, shmem_team_t team);
void note_context_end(const Site& site, shmem_ctx_t ctx);

template <class Run>
void* symmetric_malloc(Site site, size_t bytes, Run run) {
  void* const block = run();
  if (working && bytes != 0) note_allocated(site, block, bytes, false);
  return block;
}
template <class Run>
void* symmetric_calloc(Site site, size_t bytes, Run run) {
  void* const block = run();
  if (working && bytes != 0) note_allocated(site, block, bytes, true);
  return block;
}
template <class Run>
void symmetric_free(Site site, void* block, Run run) {
  if (working && block) note_freed(site, block);
  run();
}
template <class Run>
void* symmetric_realloc(Site site, void* block, size_t bytes, Run run) {
  const size_t before = working && block ? size_of_block(block) : 0;
  if (before != 0) note_freed(site, block);
  void* const moved = run();
  if (moved && working) note_allocated(site, moved, bytes, true);
  if (!moved && bytes != 0 && before != 0) note_allocated(site, block, before, true);
  return moved;
}

// Creating teams synchronises the parent team.
template <class Run>
int team_split_strided(Site site, shmem_team_t parent, shmem_team_t* team, Run run) {
  if (!working) return run();
  const BarrierUse use(site, Group::of_team(parent), false);
  const int status = run();
  note_team(*team, parent);
  return status;
}
template <class Run>
int team_split_2d(Site site, shmem_team_t parent, shmem_team_t* x, shmem_team_t* y, Run run) {
  if (!working) return run();
  const BarrierUse use(site, Group::of_team(parent), false);
  const int status = run();
  if (status == 0) note_team(*x, parent), note_team(*y, parent);
  return status;
}
template <class Run>
void team_destroy(Site, shmem_team_t team, Run run) {
  if (working) note_team_end(team);
  run();
}
template <class Run>
int ctx_create(Site, shmem_team_t team, shmem_ctx_t* ctx, Run run) {
  const int status = run();
  if (working && status == 0) note_context(*ctx, team);
  return status;
}
template <class Run>
int team_create_ctx(Site site, shmem_team_t team, shmem_ctx_t* ctx, Run run) {
  return ctx_create(site, team, ctx, run);
}
template <class Run>
void ctx_destroy(Site site, shmem_ctx_t ctx, Run run) {
  if (working) note_context_end(site, ctx);  // before another thread gets the same handle
  run();
}

}  // namespace atrium::race
