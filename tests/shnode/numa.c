/* Leaders where PEs are bound to NUMA nodes: those with even numbers to one, those with odd ones to another,
 * whatever this machine has.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "check.h"

static int pretending;

/* These two stand in for the C library's. CPU c is on NUMA node 8 c: numbers need not follow each other. */
int access(const char* path, int mode) {
  int cpu, node;
  if (pretending && sscanf(path, "/sys/devices/system/cpu/cpu%d/node%d", &cpu, &node) == 2)
    return node == 8 * cpu ? 0 : -1;
  return faccessat(AT_FDCWD, path, mode, 0);
}

int sched_getaffinity(pid_t process, size_t bytes, cpu_set_t* cpus) {
  memset(cpus, 0, bytes);
  if (!pretending) return syscall(SYS_sched_getaffinity, process, bytes, cpus) < 0 ? -1 : 0;
  CPU_SET_S((unsigned)shmem_my_pe() % 2, bytes, cpus);
  return 0;
}

static int leader_with(const char* numa) {
  setenv("SHNODE_NUMA", numa, 1);
  EXPECT(shnode_init() == SHNODE_OK && shnode_create_team(registered) == SHNODE_OK);
  const int leader = shnode_group_leader();
  EXPECT(shnode_finalize() == SHNODE_OK);
  unsetenv("SHNODE_NUMA");
  return leader;
}

/* Two groups of equal size: by NUMA node, or of neighbours. */
void check_numa(void) {
  const int n = shmem_n_pes(), half = n / 2;
  char text[20];
  if (n % 2) return;
  snprintf(text, sizeof text, "%d", half);
  setenv("SHNODE_PES_PER_LEADER", text, 1);
  pretending = 1;
  EXPECT(leader_with("1") == shmem_my_pe() % 2);
  EXPECT(leader_with("0") == (shmem_my_pe() < half ? 0 : half));
  pretending = 0;
}
