/* int_sum_to_all of 10 MB and fcollect, the system's and shnode's with nodes of several sizes, real and
 * pretended, and several PEs per leader.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Names: OPERATION.nodeN.leaderL: N PEs per node, L per leader; `default`: without variables; `best` is the
 * fastest of them beside all of the system's calls. The system's call and shnode's take turns; sources are
 * rewritten before each.
 * usage: leaders [--quick]     quick: 3 turns in place of 9, and one node of all PEs only
 * -DBENCH_BETWEEN_NODES: the PEs are on two hosts, and no other nodes are pretended. */
#include "rounds.h"

enum {
  sum_count = 10 * 1000 * 1000 / 4,
  full_rounds = 9,
  quick_rounds = 3,
  configurations = 70,
  collect_bytes = 1 << 20
};

static int *source, *dest, *work;
static long sync_area[2][256];
static int me, n, turn, rounds = full_rounds;
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

/* All of the system's times, and shnode's shortest. */
typedef struct {
  const char* what;
  void (*system)(void);
  void (*shnode)(void);
  size_t words; /* of each PE */
  double theirs[configurations * full_rounds], best;
  int count;
} contest;

static void compare(contest* c, const char* configuration) {
  double now[full_rounds], ours[full_rounds];
  char name[100];
  (void)once(c->system, c->words), (void)once(c->shnode, c->words);
  for (int round = 0; round < rounds; round++) {
    c->theirs[c->count++] = now[round] = once(c->system, c->words);
    ours[round] = once(c->shnode, c->words);
  }
  const double their = middle(now, rounds), our = middle(ours, rounds);
  if (c->best == 0 || our < c->best) c->best = our;
  if (me) return;
  snprintf(name, sizeof name, "%s.%s", c->what, configuration);
  report(name, "system", c->words * sizeof *source, their, "ns");
  report(name, "shnode", c->words * sizeof *source, our, "ns");
  report(name, "gain", c->words * sizeof *source, their / our, "times");
}

static void report_best(contest* c) {
  char name[100];
  snprintf(name, sizeof name, "%s.best", c->what);
  report(name, "gain", c->words * sizeof *source, middle(c->theirs, c->count) / c->best, "times");
}

static void measure_with(const char* configuration, contest* sum, contest* collected) {
  succeed(shnode_init());
  succeed(shnode_create_team(source));
  compare(sum, configuration);
  compare(collected, configuration);
  succeed(shnode_finalize());
}

/* shnode reads its variables anew each time. */
static void measure_leaders(int node, int per_leader, contest* sum, contest* collected) {
  char text[20], configuration[40];
  snprintf(text, sizeof text, "%d", node);
  setenv("SHNODE_NODE_PES", text, 1);
  snprintf(text, sizeof text, "%d", per_leader);
  setenv("SHNODE_PES_PER_LEADER", text, 1);
  setenv("SHNODE_COLLECTIVES", "1", 1); /* over Atrium they are the system's otherwise */
  snprintf(configuration, sizeof configuration, "node%d.leader%d", node, per_leader);
  measure_with(configuration, sum, collected);
}

#ifdef BENCH_BETWEEN_NODES
static int largest_node(void) { return n / 2; }
static int smallest_node(void) { return n / 2; }
#else
static int largest_node(void) { return n; }
static int smallest_node(void) { return rounds < full_rounds ? n : 2; }
#endif

int main(int argc, char** argv) {
  static contest sum = {.what = "int_sum_to_all", .system = system_sum, .shnode = shnode_sum};
  static contest collected = {.what = "fcollect", .system = system_fcollect, .shnode = shnode_fcollect};
  if (argc > 1 && !strcmp(argv[1], "--quick")) rounds = quick_rounds;
  shmem_init();
  me = shmem_my_pe(), n = shmem_n_pes();
  each = collect_bytes / sizeof *source / (size_t)n;
  source = shmem_malloc(2 * sum_count * sizeof *source);
  dest = source + sum_count;
  work = shmem_malloc((sum_count / 2 + 1) * sizeof *work);
  for (int i = 0; i < 256; i++) sync_area[0][i] = sync_area[1][i] = SHMEM_SYNC_VALUE;
  memset(source, 0, 2 * sum_count * sizeof *source);
  shmem_barrier_all();
  sum.words = sum_count, collected.words = each;
  measure_with("default", &sum, &collected);
  for (int node = largest_node(); node >= smallest_node(); node /= 2)
    for (int per_leader = 1; per_leader <= node; per_leader *= 2)
      measure_leaders(node, per_leader, &sum, &collected);
  if (me == 0) {
    report_best(&sum);
    report_best(&collected);
  }
  shmem_finalize();
  return 0;
}
