/* int_sum_to_all of 10 MB and fcollect, the system's and shnode's with nodes of several sizes, real and
 * pretended, and several PEs per leader. SPDX-License-Identifier: BSD-3-Clause
 *
 * Names: OPERATION.nodeN.leaderL: N PEs per node, L per leader. Sources are rewritten before each call. */
#include "rounds.h"

enum { sum_count = 10 * 1000 * 1000 / 4, rounds = 5, collect_bytes = 1 << 20 };

static int *source, *dest, *work;
static long sync_area[2][256];
static int me, n, turn;
static size_t each; /* words that each PE contributes to fcollect */

static long* next_sync(void) { return sync_area[turn++ % 2]; }

static void system_sum(void) { shmem_int_sum_to_all(dest, source, sum_count, 0, 0, n, work, next_sync()); }
static void shnode_sum(void) {
  succeed(shnode_int_sum_to_all(dest, source, sum_count, 0, 0, n, work, next_sync()));
}
static void system_fcollect(void) { shmem_fcollect32(dest, source, each, 0, 0, n, next_sync()); }
static void shnode_fcollect(void) { succeed(shnode_fcollect32(dest, source, each, 0, 0, n, next_sync())); }

static double measure(void (*operation)(void), size_t words) {
  double ns[rounds];
  operation();
  for (int round = 0; round < rounds; round++) {
    for (size_t i = 0; i < words; i++) source[i] = me + round;
    shmem_barrier_all();
    const double begin = now_ns();
    operation();
    shmem_barrier_all();
    ns[round] = now_ns() - begin;
  }
  return median(ns, rounds);
}

static void say(const char* what, const char* configuration, size_t bytes, double ns, double system) {
  char name[100];
  if (me) return;
  snprintf(name, sizeof name, "%s.%s", what, configuration);
  printf("%s\t%zu\t%.6g\tns\n", name, bytes, ns);
  if (system > 0) report(name, "gain", bytes, system / ns, "times");
}

/* shnode reads its variables anew each time. */
static void measure_with(int node, int per_leader, double system_sum_ns, double system_fcollect_ns) {
  char text[20], configuration[40];
  snprintf(text, sizeof text, "%d", node);
  setenv("SHNODE_NODE_PES", text, 1);
  snprintf(text, sizeof text, "%d", per_leader);
  setenv("SHNODE_PES_PER_LEADER", text, 1);
  setenv("SHNODE_COLLECTIVES", "1", 1); /* over Atrium they are the system's otherwise */
  snprintf(configuration, sizeof configuration, "node%d.leader%d", node, per_leader);
  succeed(shnode_init());
  succeed(shnode_create_team(source));
  say("int_sum_to_all", configuration, sum_count * sizeof *source, measure(shnode_sum, sum_count),
      system_sum_ns);
  say("fcollect", configuration, each * sizeof *source, measure(shnode_fcollect, each), system_fcollect_ns);
  succeed(shnode_finalize());
}

int main(void) {
  shmem_init();
  me = shmem_my_pe(), n = shmem_n_pes();
  each = collect_bytes / sizeof *source / (size_t)n;
  source = shmem_malloc(2 * sum_count * sizeof *source);
  dest = source + sum_count;
  work = shmem_malloc((sum_count / 2 + 1) * sizeof *work);
  for (int i = 0; i < 256; i++) sync_area[0][i] = sync_area[1][i] = SHMEM_SYNC_VALUE;
  memset(source, 0, 2 * sum_count * sizeof *source);
  shmem_barrier_all();
  const double sum_ns = measure(system_sum, sum_count), fcollect_ns = measure(system_fcollect, each);
  say("int_sum_to_all", "system", sum_count * sizeof *source, sum_ns, 0);
  say("fcollect", "system", each * sizeof *source, fcollect_ns, 0);
  for (int node = n; node > 1; node /= 2)
    for (int per_leader = 1; per_leader <= node; per_leader *= 2)
      measure_with(node, per_leader, sum_ns, fcollect_ns);
  shmem_finalize();
  return 0;
}
