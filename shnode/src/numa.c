/* The NUMA node that this PE is bound to, where the system tells (Linux).
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "internal.h"

#ifdef __linux__
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

enum { most_numa_nodes = 64 };

static int numa_of_cpu(int cpu) {
  char path[80];
  for (int node = 0; node < most_numa_nodes; node++) {
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/node%d", cpu, node);
    if (access(path, F_OK) == 0) return node;
  }
  return -1;
}

/* -1 when my CPUs lie on several: then there is nothing that would stay true. */
int sn_numa_of_me(void) {
  cpu_set_t mine;
  if (sched_getaffinity(0, sizeof mine, &mine) != 0) return -1;
  int found = -1;
  for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
    if (!CPU_ISSET((unsigned)cpu, &mine)) continue;
    const int node = numa_of_cpu(cpu);
    if (node < 0 || (found >= 0 && node != found)) return -1;
    found = node;
  }
  return found;
}
#else
int sn_numa_of_me(void) { return -1; }
#endif
