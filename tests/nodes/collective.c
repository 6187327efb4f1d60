/* One collective on all PEs, so many times: collective NAME BYTES ROUNDS, with the names that ./atrium sim has. Where libfabric counts
 * (counting_fabric.c), it is told when the collective begins and ends.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <dlfcn.h>
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int64_t *source, *dest;
static size_t n;

static void run_barrier(void) { shmem_sync_all(); }
static void run_broadcast(void) { shmem_int64_broadcast(SHMEM_TEAM_WORLD, dest, source, n, 0); }
static void run_broadcast_apart(void) {
  run_broadcast();
  shmem_sync_all();
}
static void run_sum(void) { shmem_int64_sum_reduce(SHMEM_TEAM_WORLD, dest, source, n); }
static void run_fcollect(void) { shmem_int64_fcollect(SHMEM_TEAM_WORLD, dest, source, n); }
static void run_collect(void) { shmem_int64_collect(SHMEM_TEAM_WORLD, dest, source, n); }
static void run_scan(void) { shmem_int64_sum_inscan(SHMEM_TEAM_WORLD, dest, source, n); }
static void run_alltoall(void) { shmem_int64_alltoall(SHMEM_TEAM_WORLD, dest, source, n); }

static const struct {
  const char* name;
  void (*run)(void);
} all[] = {{"barrier", run_barrier}, {"broadcast", run_broadcast}, {"broadcast_apart", run_broadcast_apart},
           {"sum", run_sum},         {"fcollect", run_fcollect},   {"collect", run_collect},
           {"scan", run_scan},       {"alltoall", run_alltoall}};

static void count_partners(int begins) {
  const char* const path = getenv("ATRIUM_LIBFABRIC");
  void* const library = path ? dlopen(path, RTLD_LAZY | RTLD_NOLOAD) : NULL;
  void (*const count)(int) = library ? (void (*)(int))dlsym(library, "count_partners") : NULL;
  if (count) count(begins);
}

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const int rounds = atoi(argv[3]);
  shmem_init();
  n = strtoul(argv[2], NULL, 10) / sizeof *source;
  if (n == 0) n = 1;
  const size_t pes = (size_t)shmem_n_pes();
  source = shmem_calloc(n * pes, sizeof *source);
  dest = shmem_calloc(n * pes, sizeof *dest);
  if (!source || !dest) return 3;
  usleep(300000); /* what was sent until now is answered in the first rounds */
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
    if (strcmp(all[i].name, argv[1]) == 0)
      for (int round = 0; round < rounds; ++round) {
        if (round == 2 || round == rounds - 1)
          count_partners(round < rounds - 1); /* who is done is in finalize */
        all[i].run();
      }
  shmem_finalize();
  return 0;
}
