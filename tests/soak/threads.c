/* Threads that work beside the rounds, each through a context of its own: words of the neighbour's that nobody else
 * writes, a counter that all threads of all PEs add to.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <pthread.h>
#include <string.h>
#include <time.h>

#include "soak.h"

enum { MOST_THREADS = 4, WORDS = 200 };

static uint64_t areas[MOST_THREADS][WORDS]; /* mine are written by my left neighbour's threads */
static uint64_t total;                      /* PE 0's */
static uint64_t added[MOST_THREADS], sum_added, mine_added;
static pthread_t workers[MOST_THREADS];
static int running;
static volatile int stop;

static void write_some(int thread, shmem_ctx_t ctx, uint64_t* state, uint64_t* model, int to) {
  const size_t first = draw_of(state) % WORDS, n = 1 + draw_of(state) % (WORDS - first);
  uint64_t* words = areas[thread] + first;
  const uint64_t value = draw_of(state);
  for (size_t i = 0; i < n; ++i) model[first + i] = mix(value + i);
  switch (value % 4) {
    case 0:
      shmem_ctx_uint64_put(ctx, words, model + first, n, to);
      break;
    case 1:
      shmem_ctx_uint64_put_nbi(ctx, words, model + first, n, to);
      break;
    case 2:
      shmem_ctx_putmem(ctx, words, model + first, n * sizeof *words, to);
      break;
    default:
      for (size_t i = 0; i < n && i < 20; ++i)
        shmem_ctx_uint64_atomic_set(ctx, words + i, model[first + i], to);
      if (n > 20) shmem_ctx_uint64_put(ctx, words + 20, model + first + 20, n - 20, to);
  }
  shmem_ctx_quiet(ctx); /* before the model is written again, and before all is read */
}

static void* work(void* argument) {
  const int thread = (int)(intptr_t)argument, to = (me + 1) % npes;
  uint64_t state = mix((uint64_t)(me * MOST_THREADS + thread) + 7) | 1, model[WORDS] = {0}, got[WORDS];
  shmem_ctx_t ctx;
  CHECK(shmem_ctx_create(thread % 2 ? SHMEM_CTX_PRIVATE : SHMEM_CTX_SERIALIZED, &ctx) == 0,
        "a thread's context");
  while (!__atomic_load_n(&stop, __ATOMIC_ACQUIRE)) {
    write_some(thread, ctx, &state, model, to);
    shmem_ctx_uint64_get(ctx, got, areas[thread], WORDS, to);
    CHECK(memcmp(got, model, sizeof got) == 0, "thread %d reads from PE %d what it has not written", thread,
          to);
    shmem_ctx_uint64_atomic_inc(ctx, &total, 0);
    ++added[thread];
    nanosleep(&(struct timespec){0, 200000}, NULL); /* the rounds need the processor, too */
  }
  shmem_ctx_destroy(ctx);
  return NULL;
}

void start_threads(int count) {
  running = count < MOST_THREADS ? count : MOST_THREADS;
  for (intptr_t i = 0; i < running; ++i)
    CHECK(pthread_create(&workers[i], NULL, work, (void*)i) == 0, "a thread");
}

void stop_threads(void) {
  __atomic_store_n(&stop, 1, __ATOMIC_RELEASE);
  for (int i = 0; i < running; ++i) pthread_join(workers[i], NULL);
  for (int i = 0; i < running; ++i) mine_added += added[i];
  shmem_barrier_all();
  CHECK(shmem_uint64_sum_reduce(SHMEM_TEAM_WORLD, &sum_added, &mine_added, 1) == 0, "the sum of additions");
  if (me == 0)
    CHECK(total == sum_added, "the threads have added %llu, the total is %llu", (unsigned long long)sum_added,
          (unsigned long long)total);
  shmem_sync_all();
}
