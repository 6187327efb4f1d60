/* Leaders where PEs are bound to NUMA nodes: those with even numbers to one, those with odd ones to another,
 * whatever this machine has.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dirent.h>
#include <dlfcn.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "check.h"

static int pretending;
static char system_folder[] = "/tmp/shnode-numa-XXXXXX";

/* CPU c is on NUMA node 8 c: numbers need not follow each other. */
static void for_each_folder(int act(const char*)) {
  for (int cpu = 0; cpu < 2; cpu++) {
    char path[2][64];
    snprintf(path[0], sizeof path[0], "%s/cpu%d", system_folder, cpu);
    snprintf(path[1], sizeof path[1], "%s/cpu%d/node%d", system_folder, cpu, 8 * cpu);
    for (int i = 0; i < 2; i++) (void)act(path[act == rmdir ? 1 - i : i]);
  }
}

static int make_folder(const char* path) { return mkdir(path, 0700); }

/* These two stand in for the C library's. */
DIR* opendir(const char* path) {
  DIR* (*open_folder)(const char*);
  char pretended[64];
  int cpu;
  *(void**)&open_folder = dlsym(RTLD_NEXT, "opendir");
  if (!pretending || sscanf(path, "/sys/devices/system/cpu/cpu%d", &cpu) != 1) return open_folder(path);
  snprintf(pretended, sizeof pretended, "%s/cpu%d", system_folder, cpu);
  return open_folder(pretended);
}

long syscall(long number, ...) {
  long (*call)(long, ...);
  long argument[6];
  va_list rest;
  va_start(rest, number);
  for (int i = 0; i < 6; i++) argument[i] = va_arg(rest, long);
  va_end(rest);
  *(void**)&call = dlsym(RTLD_NEXT, "syscall");
  if (!pretending || number != SYS_sched_getaffinity)
    return call(number, argument[0], argument[1], argument[2], argument[3], argument[4], argument[5]);
  unsigned long* mask = (unsigned long*)argument[2];
  memset(mask, 0, (size_t)argument[1]);
  mask[0] = 1UL << (shmem_my_pe() % 2);
  return argument[1];
}

static int leader_with(const char* numa) {
  setenv("SHNODE_NUMA", numa, 1);
  EXPECT(shnode_init() == SHNODE_OK && shnode_create_team(registered) == SHNODE_OK);
  const int leader = shnode_group_leader();
  EXPECT(shnode_finalize() == SHNODE_OK);
  unsetenv("SHNODE_NUMA");
  return leader;
}

static int all_are_here(void) {
  for (int pe = 0; pe < shmem_n_pes(); pe++)
    if (!shmem_ptr(registered, pe)) return 0;
  return 1;
}

/* Two groups of equal size: by NUMA node, or of neighbours. */
void check_numa(void) {
  const int n = shmem_n_pes(), half = n / 2;
  char text[20];
  if (n % 2 || !all_are_here()) return;
  snprintf(text, sizeof text, "%d", half);
  setenv("SHNODE_PES_PER_LEADER", text, 1);
  EXPECT(mkdtemp(system_folder) != NULL);
  for_each_folder(make_folder);
  pretending = 1;
  EXPECT(leader_with("1") == shmem_my_pe() % 2);
  EXPECT(leader_with("0") == (shmem_my_pe() < half ? 0 : half));
  pretending = 0;
  for_each_folder(rmdir);
  EXPECT(rmdir(system_folder) == 0);
}
