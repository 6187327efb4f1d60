/* Many threads per PE that do everything at once for a number of rounds; every effect is counted.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <pthread.h>

#include "random.h"

enum { THREADS = 6, WORDS = 64 };

static long counters[THREADS], total, boxes[THREADS][WORDS];
static uint64_t signals[THREADS], acknowledged[THREADS];
static shmem_team_t teams[THREADS];
static long sums[THREADS], ones[THREADS];
static long wrong;
static long count;

static void expect(int holds) {
  if (!holds) __atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
}

/* A message to the same thread of the right neighbour, an answer from there, through a context of this
 * thread's own. */
static void exchange(int thread, long round, shmem_ctx_t ctx) {
  long message[WORDS];
  for (int i = 0; i < WORDS; ++i) message[i] = round;
  shmem_ctx_long_put_signal_nbi(ctx, boxes[thread], message, WORDS, &signals[thread], round, SHMEM_SIGNAL_SET,
                                right());
  expect(shmem_signal_wait_until(&signals[thread], SHMEM_CMP_GE, round) == (uint64_t)round);
  for (int i = 0; i < WORDS; ++i) expect(boxes[thread][i] == round);
  shmem_ctx_quiet(ctx);
  shmem_signal_set(&acknowledged[thread], round, left());
  shmem_signal_wait_until(&acknowledged[thread], SHMEM_CMP_GE, round);
}

static void* work(void* argument) {
  const int thread = (int)(intptr_t)argument;
  shmem_ctx_t ctx;
  expect(shmem_ctx_create(thread % 2 ? SHMEM_CTX_PRIVATE : 0, &ctx) == 0);
  for (long round = 1; round <= count; ++round) {
    exchange(thread, round, ctx);
    shmem_long_atomic_inc(&total, 0);
    shmem_ctx_long_atomic_add(ctx, &counters[thread], 1, right());
    if (round % 4 == 0) {
      ones[thread] = round;
      shmem_long_sum_reduce(teams[thread], &sums[thread], &ones[thread], 1);
      expect(sums[thread] == round * npes);
      shmem_team_sync(teams[thread]);
    }
  }
  shmem_ctx_destroy(ctx);
  return NULL;
}

int main(void) {
  int provided;
  pthread_t threads[THREADS];
  CHECK(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided) == 0 && provided == SHMEM_THREAD_MULTIPLE,
        "threads");
  learn_who_i_am();
  count = test_rounds(npes > 4 ? 60 : 400);
  for (intptr_t i = 0; i < THREADS; ++i)
    CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, npes, NULL, 0, &teams[i]) == 0, "team %d", (int)i);
  for (intptr_t i = 0; i < THREADS; ++i)
    CHECK(pthread_create(&threads[i], NULL, work, (void*)i) == 0, "a thread");
  for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
  shmem_barrier_all();
  CHECK(wrong == 0, "%ld checks inside threads failed", wrong);
  CHECK(shmem_long_g(&total, 0) == count * THREADS * npes, "the total is %ld", shmem_long_g(&total, 0));
  for (int i = 0; i < THREADS; ++i) CHECK(counters[i] == count, "counter %d is %ld", i, counters[i]);
  return end();
}
