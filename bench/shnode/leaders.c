/* int_sum_to_all of 10 MB and fcollect, the system's and shnode's with nodes of several sizes, real and
 * pretended, and several PEs per leader.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Names: OPERATION.nodeN.leaderL: N PEs per node, L per leader; `best` is the highest gain of them. The
 * system's call and shnode's take turns; sources are rewritten before each. */
#include "rounds.h"

enum { sum_count = 10 * 1000 * 1000 / 4, rounds = 9, collect_bytes = 1 << 20 };

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

static double once(void (*operation)(void), size_t words) {
  for (size_t i = 0; i < words; i++) source[i] = (int)i + me;
  shmem_barrier_all();
  const double begin = now_ns();
  operation();
  shmem_barrier_all();
  return now_ns() - begin;
}

/* The gain. */
static double compare(const char* what, const char* configuration, void (*system)(void), void (*shnode)(void),
                      size_t words) {
  double theirs[rounds], ours[rounds];
  char name[100];
  for (int round = -1; round < rounds; round++) { /* the first does not count */
    const double their = once(system, words), our = once(shnode, words);
    if (round >= 0) theirs[round] = their, ours[round] = our;
  }
  const double gain = median(theirs, rounds) / median(ours, rounds);
  snprintf(name, sizeof name, "%s.%s", what, configuration);
  if (me == 0) {
    report(name, "system", words * sizeof *source, median(theirs, rounds), "ns");
    report(name, "shnode", words * sizeof *source, median(ours, rounds), "ns");
    report(name, "gain", words * sizeof *source, gain, "times");
  }
  return gain;
}

/* shnode reads its variables anew each time. */
static void measure_with(int node, int per_leader, double* best_sum, double* best_fcollect) {
  char text[20], configuration[40];
  snprintf(text, sizeof text, "%d", node);
  setenv("SHNODE_NODE_PES", text, 1);
  snprintf(text, sizeof text, "%d", per_leader);
  setenv("SHNODE_PES_PER_LEADER", text, 1);
  setenv("SHNODE_COLLECTIVES", "1", 1); /* over Atrium they are the system's otherwise */
  snprintf(configuration, sizeof configuration, "node%d.leader%d", node, per_leader);
  succeed(shnode_init());
  succeed(shnode_create_team(source));
  const double sum = compare("int_sum_to_all", configuration, system_sum, shnode_sum, sum_count);
  const double collected = compare("fcollect", configuration, system_fcollect, shnode_fcollect, each);
  if (sum > *best_sum) *best_sum = sum;
  if (collected > *best_fcollect) *best_fcollect = collected;
  succeed(shnode_finalize());
}

int main(void) {
  double best_sum = 0, best_fcollect = 0;
  shmem_init();
  me = shmem_my_pe(), n = shmem_n_pes();
  each = collect_bytes / sizeof *source / (size_t)n;
  source = shmem_malloc(2 * sum_count * sizeof *source);
  dest = source + sum_count;
  work = shmem_malloc((sum_count / 2 + 1) * sizeof *work);
  for (int i = 0; i < 256; i++) sync_area[0][i] = sync_area[1][i] = SHMEM_SYNC_VALUE;
  memset(source, 0, 2 * sum_count * sizeof *source);
  shmem_barrier_all();
  for (int node = n; node > 1; node /= 2)
    for (int per_leader = 1; per_leader <= node; per_leader *= 2)
      measure_with(node, per_leader, &best_sum, &best_fcollect);
  if (me == 0) {
    report("int_sum_to_all.best", "gain", sum_count * sizeof *source, best_sum, "times");
    report("fcollect.best", "gain", each * sizeof *source, best_fcollect, "times");
  }
  shmem_finalize();
  return 0;
}
