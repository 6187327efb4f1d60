/* Who is on which node: found through shmem_ptr, agreed on through symmetric memory.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each PE announces a hash of the set of PEs that it sees. Two PEs are on the same node if their sets are
 * equal: as every PE is in its own set, equal sets contain both, so that the relation is symmetric and
 * transitive whatever shmem_ptr answers. All PEs compute the nodes from the same table of announcements. */
#include <stdlib.h>

#include "internal.h"

int *sn_node_of, *sn_members;
int sn_nodes, sn_largest, sn_host_pes, sn_member_count;

static int sees(const void* data, int pe) {
  return pe == sn_me || (shmem_ptr(sn_ctl.stage, pe) && shmem_ptr(data, pe));
}

/* The mixing function of splitmix64: sums of it do not depend on the order. */
static uint64_t mix(uint64_t x) {
  x += UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 31);
}

static uint64_t hash_of_seen(const void* data) {
  uint64_t hash = 0;
  for (int pe = 0; pe < sn_pes; pe++)
    if (sees(data, pe)) hash += mix((uint64_t)pe);
  return hash;
}

static void announce(const void* data, int status) {
  sn_announcement* mine = sn_ctl.mine;
  mine->status = (int16_t)status;
  mine->sees = status ? 0 : hash_of_seen(data);
  mine->numa = sn_set.numa ? sn_numa_of_me() : -1;
  mine->pes_per_leader = sn_set.pes_per_leader;
  mine->collectives = (int8_t)sn_set.collectives;
  mine->exchange = (int8_t)sn_set.exchange;
  memcpy(mine->node_pes, sn_set.node_pes, sizeof mine->node_pes);
  sn_announce();
  /* Settings that must be the same everywhere are those of PE 0. */
  sn_set.pes_per_leader = sn_ctl.all[0].pes_per_leader;
  sn_set.collectives = sn_ctl.all[0].collectives;
  sn_set.exchange = sn_ctl.all[0].exchange;
  memcpy(sn_set.node_pes, sn_ctl.all[0].node_pes, sizeof sn_set.node_pes);
}

/* A node while they are being numbered: its hash, and the pretended nodes it is cut into. */
typedef struct {
  uint64_t sees;
  int number, left; /* of the piece that is being filled, and how many PEs it still takes */
} piece;

static int pattern_size(int index) {
  int places = 0;
  while (places < sn_pattern_places && sn_set.node_pes[places]) places++;
  return places ? sn_set.node_pes[index % places] : sn_pes;
}

/* PEs of a node mostly follow each other, so the last one is tried first. */
static piece* find_piece(piece* pieces, int* count, uint64_t hash) {
  for (int i = *count - 1; i >= 0; i--)
    if (pieces[i].sees == hash) return &pieces[i];
  piece* fresh = &pieces[(*count)++];
  fresh->sees = hash;
  fresh->left = 0;
  return fresh;
}

static void number_nodes(piece* pieces) {
  int count = 0;
  sn_nodes = 0;
  for (int pe = 0; pe < sn_pes; pe++) {
    piece* at = find_piece(pieces, &count, sn_ctl.all[pe].sees);
    if (at->left == 0) {
      at->left = pattern_size(sn_nodes);
      at->number = sn_nodes++;
    }
    at->left--;
    sn_node_of[pe] = at->number;
  }
}

static void list_members(void) {
  sn_member_count = sn_host_pes = 0;
  for (int pe = 0; pe < sn_pes; pe++) {
    sn_host_pes += sn_ctl.all[pe].sees == sn_ctl.all[sn_me].sees;
    if (sn_node_of[pe] == sn_node_of[sn_me]) sn_members[sn_member_count++] = pe;
  }
}

static void measure_nodes(int* sizes) {
  sn_largest = 0;
  for (int pe = 0; pe < sn_pes; pe++) {
    const int size = ++sizes[sn_node_of[pe]];
    if (size > sn_largest) sn_largest = size;
  }
}

/* What one PE cannot do, none does. */
static int agreed_status(void) {
  int status = SHNODE_OK;
  for (int pe = 0; pe < sn_pes && !status; pe++) status = sn_ctl.all[pe].status;
  if (status) shmem_barrier_all(); /* all have read the announcements: there may be others */
  return status;
}

int sn_find_nodes(const void* data) {
  const size_t pes = (size_t)sn_pes;
  piece* pieces = calloc(pes, sizeof *pieces);
  int* sizes = calloc(pes, sizeof *sizes);
  sn_node_of = calloc(pes, sizeof *sn_node_of);
  sn_members = calloc(pes, sizeof *sn_members);
  const int complete = pieces && sizes && sn_node_of && sn_members;
  announce(data, !sn_is_symmetric(data, 1) ? SHNODE_ERR_ARGUMENT : complete ? SHNODE_OK : SHNODE_ERR_MEMORY);
  const int status = agreed_status();
  if (!status) {
    number_nodes(pieces);
    list_members();
    measure_nodes(sizes);
  }
  free(pieces);
  free(sizes);
  return status;
}

void sn_forget_nodes(void) {
  free(sn_node_of);
  free(sn_members);
  sn_node_of = sn_members = NULL;
}
