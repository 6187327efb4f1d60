/* Random rounds of everything at once, each against the private model: soak SEED ROUNDS [THREADS]. The same seed draws
 * the same rounds. With threads they work beside the rounds, and the job has SHMEM_THREAD_MULTIPLE.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "soak.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

int me = -1, npes = -1;
long current_round = -1;
static uint64_t random_state;
static unsigned long long seed;

_Noreturn void fail_check(const char* condition, const char* file, int line, const char* format, ...) {
  char text[400];
  va_list values;
  va_start(values, format);
  vsnprintf(text, sizeof text, format, values);
  va_end(values);
  fprintf(stderr, "%s:%d: PE %d of %d, round %ld of seed %llu: %s: not (%s)\n", file, line, me, npes,
          current_round, seed, text, condition);
  shmem_global_exit(3);
}

uint64_t draw_of(uint64_t* state) { /* xorshift64* */
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return *state * UINT64_C(2685821657736338717);
}

uint64_t draw(void) { return draw_of(&random_state); }
long pick(long low, long high) { return low + (long)(draw() >> 11) % (high - low + 1); }

uint64_t mix(uint64_t value) {
  value = (value ^ (value >> 31)) * UINT64_C(0x7fb5d329728ea185);
  value = (value ^ (value >> 27)) * UINT64_C(0x81dadef4bc2dd44d);
  return value ^ (value >> 33);
}

static const struct {
  const char* name;
  int weight;
  void (*run)(void);
} actions[] = {
    {"transfers", 40, transfer_round},
    {"collectives", 25, collective_round},
    {"allocations", 12, allocation_round},
    {"groups", 12, group_round},
    {"locks", 4, lock_round},
    {"hand-overs", 7, hand_over_round},
};
enum { ACTIONS = sizeof actions / sizeof *actions };
static long done[ACTIONS];

static int pick_action(void) {
  int total = 0, i = 0;
  for (int k = 0; k < ACTIONS; ++k) total += actions[k].weight;
  for (long ticket = pick(1, total); (ticket -= actions[i].weight) > 0; ++i) continue;
  return i;
}

/* Have all drawn the same numbers? What comes later would be nonsense otherwise. */
static void expect_the_same_state(void) {
  static uint64_t mine, least, most;
  mine = random_state;
  shmem_uint64_min_reduce(SHMEM_TEAM_WORLD, &least, &mine, 1);
  shmem_uint64_max_reduce(SHMEM_TEAM_WORLD, &most, &mine, 1);
  CHECK(least == mine && most == mine, "the PEs have drawn different numbers");
  shmem_sync_all();
}

static void say_what_was_done(long rounds) {
  if (me != 0) return;
  printf("%ld rounds on %d PEs:", rounds, npes);
  for (int i = 0; i < ACTIONS; ++i)
    printf(" %ld %s%s", done[i], actions[i].name, i + 1 < ACTIONS ? "," : "\n");
}

int main(int argc, char** argv) {
  seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
  const long rounds = argc > 2 ? atol(argv[2]) : 300;
  const int threads = argc > 3 ? atoi(argv[3]) : 0;
  const int level = threads > 0 ? SHMEM_THREAD_MULTIPLE : SHMEM_THREAD_SINGLE;
  int provided = -1;
  if (shmem_init_thread(level, &provided) != 0 || provided != level) return 4;
  me = shmem_my_pe(), npes = shmem_n_pes();
  if (npes > MOST_PES) return fprintf(stderr, "at most %d PEs\n", MOST_PES), 2;
  random_state = mix(seed) | 1;
  open_blocks();
  open_groups();
  start_threads(threads);
  for (current_round = 0; current_round < rounds; ++current_round) {
    const int action = pick_action();
    actions[action].run();
    ++done[action];
    if (current_round % 64 == 0) expect_the_same_state();
  }
  stop_threads();
  for (int block = 0; block < BLOCKS; ++block) compare_block(block, "at the end");
  close_groups();
  close_blocks();
  say_what_was_done(rounds);
  shmem_finalize();
  return 0;
}
