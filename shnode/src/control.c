/* shnode's own symmetric memory: one block, taken in init and given back in finalize.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "internal.h"

sn_control sn_ctl;

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

/* A barrier and a get from each: with many PEs per CPU a collective of the system takes longer. */
void sn_announce(void) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  shmem_barrier_all();
  for (int i = 0; i < sn_pes; i++) {
    const int pe = (sn_me + i) % sn_pes;
    shmem_getmem(&sn_ctl.all[pe], sn_ctl.mine, sizeof(sn_announcement), pe);
  }
}
