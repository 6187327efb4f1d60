/* shnode's own symmetric memory: one block, taken in init and given back in finalize.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "internal.h"

sn_control sn_ctl;

/* Static data of the executable are symmetric, and initialised on all PEs before any of them runs. */
#if !SHNODE_HAS_TEAMS
#ifndef SHMEM_COLLECT_SYNC_SIZE
#define SHMEM_COLLECT_SYNC_SIZE _SHMEM_COLLECT_SYNC_SIZE
#define SHMEM_SYNC_VALUE _SHMEM_SYNC_VALUE
#endif
static long collect_psync[SHMEM_COLLECT_SYNC_SIZE] = {[0 ... SHMEM_COLLECT_SYNC_SIZE - 1] = SHMEM_SYNC_VALUE};
#endif

static size_t round_up(size_t bytes) { return (bytes + sn_line_bytes - 1) / sn_line_bytes * sn_line_bytes; }

int sn_create_control(void) {
  const size_t pes = (size_t)sn_pes, one = round_up(sizeof(sn_announcement));
  const size_t table = round_up(pes * sizeof(sn_announcement)), inboxes = pes * sizeof(sn_inbox);
  const size_t all = one + sn_stage_bytes + table + inboxes + sn_line_bytes;
  char* memory = sn_ctl.memory = shmem_malloc(all);
  if (!memory) return SHNODE_ERR_MEMORY;
  memory += (sn_line_bytes - (uintptr_t)memory % sn_line_bytes) % sn_line_bytes;
  sn_ctl.mine = (sn_announcement*)memory;
  sn_ctl.stage = memory + one;
  sn_ctl.all = (sn_announcement*)(sn_ctl.stage + sn_stage_bytes);
  sn_ctl.inbox = (sn_inbox*)((char*)sn_ctl.all + table);
  memset(sn_ctl.inbox, 0, inboxes); /* nobody notifies before the announcements have been collected */
  return SHNODE_OK;
}

void sn_destroy_control(void) { shmem_free(sn_ctl.memory); }

void sn_announce(void) {
#if SHNODE_HAS_TEAMS
  shmem_fcollectmem(SHMEM_TEAM_WORLD, sn_ctl.all, sn_ctl.mine, sizeof(sn_announcement));
#else
  shmem_fcollect64(sn_ctl.all, sn_ctl.mine, sizeof(sn_announcement) / 8, 0, 0, sn_pes, collect_psync);
#endif
}
