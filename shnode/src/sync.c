/* One PE notifies another of its progress: by a counter in a cache line that only the two of them use.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <sched.h>
#include <stdlib.h>

#include "atrium_machine.h"
#include "internal.h"

sn_inbox** sn_inbox_at;
static long *sent, *awaited; /* by PE */
static unsigned spins;       /* before giving up the CPU; 0 when PEs share CPUs */

static unsigned rounds_alone; /* before the system waits */

enum { patient_spins = 1000, rounds_alone_on_a_host = 1500, rounds_alone_among_hosts = 20 };

/* A PE that is bound to one CPU alone says nothing of how many CPUs the others have, so all that run count then;
 * but a container's quota is for all of them together. */
int sn_usable_cpus(void) {
  atrium_cpu_mask mine;
  atrium_allowed_cpus(&mine);
  const int allowed = atrium_count_cpus(&mine);
  return atrium_limit_to_quota(allowed > 1 ? allowed : (int)sysconf(_SC_NPROCESSORS_ONLN),
                               atrium_cgroup_quota());
}

int sn_open_sync(void) {
  const size_t pes = (size_t)sn_pes;
  sent = calloc(pes, sizeof *sent);
  awaited = calloc(pes, sizeof *awaited);
  sn_inbox_at = calloc(pes, sizeof *sn_inbox_at);
  if (!sent || !awaited || !sn_inbox_at) return SHNODE_ERR_MEMORY;
  for (int i = 0; i < sn_member_count; i++) {
    const int pe = sn_members[i];
    sn_inbox* mine_there = &sn_ctl.inbox[sn_me];
    sn_inbox_at[pe] = pe == sn_me ? mine_there : shmem_ptr(mine_there, pe);
  }
  spins = sn_host_pes <= sn_usable_cpus() ? patient_spins : 0;
  rounds_alone = sn_host_pes < sn_pes ? rounds_alone_among_hosts : rounds_alone_on_a_host;
  return SHNODE_OK;
}

void sn_close_sync(void) {
  free(sent);
  free(awaited);
  free(sn_inbox_at);
  sent = awaited = NULL;
  sn_inbox_at = NULL;
}

void sn_notify(int pe) {
  const long count = ++sent[pe];
  sn_complete();
  if (sn_inbox_at[pe] && !sn_must_see_calls()) { /* else a sleeper in sn_await would sleep on */
    __atomic_store_n(&sn_inbox_at[pe]->count, count, __ATOMIC_RELEASE); /* SYNC shnode-notify */
  } else {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    shmem_fence();
    shmem_long_p(&sn_ctl.inbox[sn_me].count, count, pe);
  }
}

void sn_post(long* in_inbox, long value, int pe) {
  if (sn_inbox_at[pe])
    *(long*)(void*)((char*)sn_inbox_at[pe] + ((char*)in_inbox - (char*)&sn_ctl.inbox[sn_me])) = value;
  else
    shmem_long_p(in_inbox, value, pe);
}

void sn_pause(unsigned round) {
  if (round < spins)
    atrium_pause();
  else
    sched_yield();
}

/* After a while the system waits: it may have to help a put to arrive (Open MPI's to static data need the
 * target, and its shmem_test does nothing for them; so does all that comes from other hosts by TCP), and it knows
 * how to wait long. */
void sn_await(int pe) {
  long* count = &sn_ctl.inbox[pe].count;
  const long value = ++awaited[pe];
  for (unsigned round = 1; __atomic_load_n(count, __ATOMIC_ACQUIRE) < value;
       round++) { /* SYNC shnode-notify */
    sn_pause(round);
    if (round % rounds_alone == 0) shmem_long_wait_until(count, SHMEM_CMP_GE, value);
  }
}
