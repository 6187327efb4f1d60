/* A set of PEs in groups: which ranks share a node, who leads them. Plans are remembered.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "internal.h"

enum { remembered = 16, no_active_set = -1 };

typedef struct {
  sn_plan plan;
  int start, stride; /* of an active set; those of a team, known by its list of PEs, are none's */
  int* memory;
} entry;
static entry entries[remembered];
static int next_entry;

/* Measured (docs/measurements/shnode.md): with the memory of the whole node in reach, one leader for all of it. */
static int pes_per_leader(int on_this_node) {
  const int set = sn_set.pes_per_leader;
  return set > 0 && set < on_this_node ? set : on_this_node;
}

/* Ranks, node after node; on a node by NUMA node, so that a leader is near the members that it leads. */
static void order_ranks(sn_plan* plan, int* fill) {
  for (int rank = 0; rank < plan->size; rank++) fill[sn_node_of[plan->pe[rank]] + 1]++;
  for (int node = 0; node < sn_nodes; node++) fill[node + 1] += fill[node];
  for (int rank = 0; rank < plan->size; rank++) plan->order[fill[sn_node_of[plan->pe[rank]]]++] = rank;
}

static int numa_of(const sn_plan* plan, int place) { return sn_ctl.all[plan->pe[plan->order[place]]].numa; }

static void sort_by_numa(sn_plan* plan, int from, int to) {
  for (int i = from + 1; i < to; i++)
    for (int k = i; k > from && numa_of(plan, k) < numa_of(plan, k - 1); k--) {
      const int rank = plan->order[k];
      plan->order[k] = plan->order[k - 1];
      plan->order[k - 1] = rank;
    }
}

/* The ranks of one node, in groups of equal size or one less. */
static void add_groups(sn_plan* plan, int from, int to) {
  const int count = to - from, most = pes_per_leader(count), groups = (count + most - 1) / most;
  sort_by_numa(plan, from, to);
  for (int i = 0; i < groups; i++) plan->start[plan->groups++] = from + (int)((long)count * i / groups);
  plan->nodes++;
}

static void form_groups(sn_plan* plan) {
  for (int from = 0, to = 0; from < plan->size; from = to) {
    const int node = sn_node_of[plan->pe[plan->order[from]]];
    while (to < plan->size && sn_node_of[plan->pe[plan->order[to]]] == node) to++;
    add_groups(plan, from, to);
  }
  plan->start[plan->groups] = plan->size;
}

static void find_myself(sn_plan* plan) {
  for (int group = 0; group < plan->groups; group++) {
    const int size = sn_group_size(plan, group);
    if (size > plan->largest_group) plan->largest_group = size;
    for (int place = 0; place < size; place++)
      if (sn_pe_at(plan, group, place) == sn_me) {
        plan->my_group = group;
        plan->my_place = place;
        plan->me = plan->order[plan->start[group] + place];
      }
  }
}

/* Takes a place for `size` PEs; their numbers are filled in by the caller. */
static entry* make_entry(int size) {
  entry* fresh = &entries[next_entry];
  int* memory = calloc(3 * (size_t)size + 1, sizeof *memory);
  if (!memory) return NULL;
  next_entry = (next_entry + 1) % remembered;
  free(fresh->memory);
  memset(fresh, 0, sizeof *fresh);
  fresh->memory = memory;
  fresh->plan.size = size;
  fresh->plan.pe = memory;
  fresh->plan.order = memory + size;
  fresh->plan.start = memory + 2 * size;
  return fresh;
}

static void forget_entry(entry* old) {
  free(old->memory);
  memset(old, 0, sizeof *old);
}

static int complete_entry(entry* fresh) {
  sn_plan* plan = &fresh->plan;
  int* fill = calloc((size_t)sn_nodes + 1, sizeof *fill);
  if (!fill) {
    forget_entry(fresh);
    return SHNODE_ERR_MEMORY;
  }
  order_ranks(plan, fill);
  free(fill);
  form_groups(plan);
  find_myself(plan);
  plan->own = sn_set.collectives && (plan->size == 1 || plan->nodes < plan->size);
  return SHNODE_OK;
}

static int fits_the_job(int start, int stride, int size) {
  if (start < 0 || stride < 0 || stride > 30 || size < 1) return SHNODE_ERR_ARGUMENT;
  if (start + (((long long)size - 1) << stride) >= sn_pes) return SHNODE_ERR_ARGUMENT;
  const int distance = sn_me - start, step = 1 << stride;
  return distance >= 0 && distance % step == 0 && distance / step < size ? SHNODE_OK : SHNODE_ERR_PE;
}

static int make_active_set(int start, int stride, int size, const sn_plan** plan) {
  int status = fits_the_job(start, stride, size);
  if (status) return status;
  entry* fresh = make_entry(size);
  if (!fresh) return SHNODE_ERR_MEMORY;
  for (int rank = 0; rank < size; rank++) fresh->plan.pe[rank] = start + (rank << stride);
  fresh->start = start;
  fresh->stride = stride;
  *plan = &fresh->plan;
  return complete_entry(fresh);
}

int sn_check_blocks(const sn_plan* plan, sn_shape shape, const void* dest, const void* source, size_t count,
                    size_t unit) {
  const size_t all = (size_t)plan->size, in_dest = shape == sn_single_blocks ? 1 : all,
               in_source = shape == sn_blocks_in_both ? all : 1;
  if (count == 0) return SHNODE_OK;
  if (count > PTRDIFF_MAX / unit / in_dest) return SHNODE_ERR_ARGUMENT; /* a negative one, too */
  const size_t bytes = count * unit;
  return sn_is_symmetric(dest, in_dest * bytes) && sn_is_symmetric(source, in_source * bytes)
             ? SHNODE_OK
             : SHNODE_ERR_ARGUMENT;
}

int sn_plan_active_set(int start, int stride, int size, const sn_plan** plan) {
  const int status = sn_ready();
  if (status) return status;
  for (int i = 0; i < remembered && start != no_active_set; i++) {
    const entry* old = &entries[i];
    if (old->memory && old->start == start && old->stride == stride && old->plan.size == size) {
      *plan = &old->plan;
      return SHNODE_OK;
    }
  }
  return make_active_set(start, stride, size, plan);
}

#if SHNODE_HAS_TEAMS
/* Handles of destroyed teams are used again, so a team is known by its PEs. */
static int recall_team(const int* pe, int size, const sn_plan** plan) {
  for (int i = 0; i < remembered; i++) {
    const entry* old = &entries[i];
    if (!old->memory || old->plan.size != size || memcmp(old->plan.pe, pe, (size_t)size * sizeof *pe))
      continue;
    *plan = &old->plan;
    return 1;
  }
  return 0;
}

static int make_team(const int* pe, int size, const sn_plan** plan) {
  entry* fresh = make_entry(size);
  if (!fresh) return SHNODE_ERR_MEMORY;
  memcpy(fresh->plan.pe, pe, (size_t)size * sizeof *pe);
  fresh->start = fresh->stride = no_active_set;
  *plan = &fresh->plan;
  return complete_entry(fresh);
}

int sn_plan_team(shmem_team_t team, const sn_plan** plan) {
  const int status = sn_ready();
  if (status) return status;
  if (team == SHMEM_TEAM_WORLD) return sn_plan_active_set(0, 0, sn_pes, plan);
  if (team == SHMEM_TEAM_INVALID) return SHNODE_ERR_ARGUMENT;
  const int size = shmem_team_n_pes(team);
  int* pe = size > 0 ? sn_scratch((size_t)size * sizeof *pe) : NULL;
  if (!pe) return size > 0 ? SHNODE_ERR_MEMORY : SHNODE_ERR_ARGUMENT;
  for (int rank = 0; rank < size; rank++) pe[rank] = shmem_team_translate_pe(team, rank, SHMEM_TEAM_WORLD);
  return recall_team(pe, size, plan) ? SHNODE_OK : make_team(pe, size, plan);
}
#endif

void sn_forget_plans(void) {
  for (int i = 0; i < remembered; i++) forget_entry(&entries[i]);
}
