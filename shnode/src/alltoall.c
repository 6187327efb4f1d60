/* All-to-all: straight from each source into each dest, other nodes first; small blocks for other nodes are
 * packed by leaders. Also the order in which to send, for programs that do it themselves.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "internal.h"

int shnode_alltoall_schedule(int* order, int* away) {
  const int status = sn_ready();
  if (status || !order || !away) return sn_fail(status ? status : SHNODE_ERR_ARGUMENT);
  int count = 0;
  *away = sn_pes - sn_member_count;
  int local = *away;
  for (int i = 1; i <= sn_pes; i++) {
    const int pe = (sn_me + i) % sn_pes;
    if (sn_node_of[pe] == sn_node_of[sn_me])
      order[local++] = pe;
    else
      order[count++] = pe;
  }
  return SHNODE_OK;
}

typedef struct {
  const sn_plan* plan;
  char* dest;
  const char* source;
  size_t bytes;
} alltoall;

static void start_put(void* dest, const void* source, size_t bytes, int pe) {
#if SN_AT_LEAST(1, 3)
  shmem_putmem_nbi(dest, source, bytes, pe);
#else
  shmem_putmem(dest, source, bytes, pe);
#endif
}

static int is_away(int pe) { return sn_node_of[pe] != sn_node_of[sn_me]; }

/* Sends what goes to other nodes, or what stays on mine. */
static void send_blocks(const alltoall* a, int away) {
  const sn_plan* plan = a->plan;
  for (int i = 1; i <= plan->size; i++) {
    const int rank = (plan->me + i) % plan->size, pe = plan->pe[rank];
    char* to = a->dest + (size_t)plan->me * a->bytes;
    const char* from = a->source + (size_t)rank * a->bytes;
    if (is_away(pe) != away) continue;
    if (away)
      start_put(to, from, a->bytes, pe);
    else
      sn_push(to, from, a->bytes, pe);
  }
}

static void send_directly(const alltoall* a) {
  sn_meet_all(a->plan); /* every dest may be written */
  send_blocks(a, 1);
  send_blocks(a, 0);
  if (a->plan->nodes > 1) shmem_quiet();
  sn_meet_all(a->plan);
}

/* ---- Packed. A leader's stage: what its group sends, by receiving group; behind it what it receives, by
 * sending group. Inside, blocks lie by sender, then by receiver. ---- */

static size_t part_offset(const alltoall* a, int leader_group, int other_group) {
  return (size_t)sn_group_size(a->plan, leader_group) * (size_t)a->plan->start[other_group] * a->bytes;
}

static char* stage_in(void) { return sn_ctl.stage + sn_stage_bytes / 2; }

static void pack_member(const alltoall* a, int place) {
  const sn_plan* plan = a->plan;
  const int pe = sn_pe_at(plan, plan->my_group, place);
  for (int group = 0; group < plan->groups; group++) {
    const int size = sn_group_size(plan, group);
    char* to = sn_ctl.stage + part_offset(a, plan->my_group, group) + (size_t)place * (size_t)size * a->bytes;
    for (int i = 0; i < size; i++)
      sn_pull(to + (size_t)i * a->bytes, a->source + (size_t)plan->order[plan->start[group] + i] * a->bytes,
              a->bytes, pe);
  }
}

static void fetch_group(const alltoall* a, int group) {
  const sn_plan* plan = a->plan;
  const size_t bytes =
      (size_t)sn_group_size(plan, group) * (size_t)sn_group_size(plan, plan->my_group) * a->bytes;
  sn_pull(stage_in() + part_offset(a, plan->my_group, group),
          sn_ctl.stage + part_offset(a, group, plan->my_group), bytes, sn_leader(plan, group));
}

static void unpack_member(const alltoall* a, int place) {
  const sn_plan* plan = a->plan;
  const int size = sn_group_size(plan, plan->my_group), pe = sn_pe_at(plan, plan->my_group, place);
  for (int i = 0; i < plan->size; i++)
    sn_push(a->dest + (size_t)plan->order[i] * a->bytes,
            stage_in() + ((size_t)i * (size_t)size + (size_t)place) * a->bytes, a->bytes, pe);
}

static void send_packed(const alltoall* a) {
  const sn_plan* plan = a->plan;
  sn_gather_group(plan);
  if (plan->my_place == 0) {
    const int size = sn_group_size(plan, plan->my_group);
    for (int place = 0; place < size; place++) pack_member(a, place);
    sn_meet_leaders(plan);
    for (int i = 0; i < plan->groups; i++) fetch_group(a, (plan->my_group + i) % plan->groups);
    sn_meet_leaders(plan);
    for (int place = 0; place < size; place++) unpack_member(a, place);
  }
  sn_release_group(plan);
}

int sn_alltoall(const sn_plan* plan, void* dest, const void* source, size_t bytes) {
  if (bytes == 0) return SHNODE_OK;
  const alltoall a = {plan, dest, source, bytes};
  const size_t most = (size_t)plan->largest_group * (size_t)plan->size * bytes;
  if (plan->nodes > 1 && plan->largest_group > 1 && most <= sn_stage_bytes / 2)
    send_packed(&a);
  else
    send_directly(&a);
  return SHNODE_OK;
}
