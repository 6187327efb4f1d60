/* Collect: blocks go to the leader's dest, leaders read each other's groups, members read their leader.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "internal.h"

enum { small_bytes = 8 << 10 }; /* of the result: up to here the leader moves all of it */

/* Where the block of each rank begins in the result; offset[size] is the size of the result. */
typedef struct {
  const sn_plan* plan;
  char* dest;
  const char* source;
  const size_t* offset;
} collect;

static size_t block_bytes(const collect* c, int rank) { return c->offset[rank + 1] - c->offset[rank]; }

static void pull_members_blocks(const collect* c) {
  const sn_plan* plan = c->plan;
  for (int i = plan->start[plan->my_group]; i < plan->start[plan->my_group + 1]; i++) {
    const int rank = plan->order[i];
    sn_pull(c->dest + c->offset[rank], c->source, block_bytes(c, rank), plan->pe[rank]);
  }
}

/* Blocks of neighbouring ranks are read in one piece. */
static void pull_group(const collect* c, int group) {
  const sn_plan* plan = c->plan;
  for (int i = plan->start[group]; i < plan->start[group + 1];) {
    const int first = plan->order[i];
    int last = first;
    while (++i < plan->start[group + 1] && plan->order[i] == last + 1) last++;
    char* run = c->dest + c->offset[first];
    sn_pull(run, run, c->offset[last + 1] - c->offset[first], sn_leader(plan, group));
  }
}

/* Beginning behind my own group, so that not all read from the same leader. */
static void exchange_groups(const collect* c) {
  const sn_plan* plan = c->plan;
  if (plan->groups == 1) return;
  sn_meet_leaders(plan);
  for (int i = 1; i < plan->groups; i++) pull_group(c, (plan->my_group + i) % plan->groups);
  sn_meet_leaders(plan);
}

static void collect_small(const collect* c) {
  const sn_plan* plan = c->plan;
  sn_gather_group(plan);
  if (plan->my_place == 0) {
    pull_members_blocks(c);
    exchange_groups(c);
    for (int place = 1; place < sn_group_size(plan, plan->my_group); place++)
      sn_push(c->dest, c->dest, c->offset[plan->size], sn_pe_at(plan, plan->my_group, place));
  }
  sn_release_group(plan);
}

static void collect_large(const collect* c) {
  const sn_plan* plan = c->plan;
  const int leader = sn_leader(plan, plan->my_group);
  sn_gather_group(plan); /* all are here: the leader's dest may be written */
  sn_release_group(plan);
  sn_push(c->dest + c->offset[plan->me], c->source, block_bytes(c, plan->me), leader);
  sn_gather_group(plan);
  if (plan->my_place == 0) exchange_groups(c);
  sn_release_group(plan);
  if (plan->my_place) sn_pull(c->dest, c->dest, c->offset[plan->size], leader);
  sn_gather_group(plan); /* all have read: the leader's dest is the user's again */
}

static void collect_blocks(const sn_plan* plan, void* dest, const void* source, const size_t* offset) {
  const collect c = {plan, dest, source, offset};
  if (offset[plan->size] <= small_bytes)
    collect_small(&c);
  else
    collect_large(&c);
}

static size_t* room_for_offsets(const sn_plan* plan) {
  return sn_scratch(((size_t)plan->size + 1) * sizeof(size_t));
}

int sn_fcollect(const sn_plan* plan, void* dest, const void* source, size_t bytes) {
  size_t* offset = room_for_offsets(plan);
  if (!offset) return SHNODE_ERR_MEMORY;
  for (int rank = 0; rank <= plan->size; rank++) offset[rank] = (size_t)rank * bytes;
  collect_blocks(plan, dest, source, offset);
  return SHNODE_OK;
}

/* A size that says that a PE has no dest. All must know, lest they wait for it. Sizes end below. */
static const size_t no_dest = SIZE_MAX / 2 + 1;

static int is_missing(const sn_plan* plan, const size_t* sizes) {
  for (int rank = 0; rank < plan->size; rank++)
    if (sizes[rank] & no_dest) return 1;
  return 0;
}

/* First the sizes, in the stage, with mine at its end. */
int sn_collect(const sn_plan* plan, void* dest, const void* source, size_t bytes) {
  size_t *sizes = (size_t*)(void*)sn_ctl.stage, *mine = sizes + sn_stage_bytes / sizeof *sizes - 1;
  if ((size_t)plan->size >= sn_stage_bytes / sizeof *sizes) return SHNODE_ERR_MEMORY;
  *mine = sn_is_symmetric(dest, 1) ? bytes : bytes | no_dest;
  const int status = sn_fcollect(plan, sizes, mine, sizeof bytes);
  if (status) return status;
  size_t* offset = room_for_offsets(plan);
  offset[0] = 0;
  for (int rank = 0; rank < plan->size; rank++) offset[rank + 1] = offset[rank] + (sizes[rank] & ~no_dest);
  if (offset[plan->size] && (is_missing(plan, sizes) || !sn_is_symmetric(dest, offset[plan->size])))
    return SHNODE_ERR_ARGUMENT;
  collect_blocks(plan, dest, source, offset);
  return SHNODE_OK;
}
