/* Threads: levels, and SHMEM_THREAD_MULTIPLE with several threads that do everything at once (9.2).
 * SPDX-License-Identifier: BSD-3-Clause */
#include <pthread.h>

#include "check.h"

enum { THREADS = 4, ROUNDS = 300 };

static long counter, slots[THREADS], locked_counter, lock;
static uint64_t signals[THREADS];
static shmem_team_t teams[THREADS];
static long sums[THREADS][2], ones[THREADS];
static pthread_mutex_t check_mutex = PTHREAD_MUTEX_INITIALIZER;

#define THREAD_CHECK(...)               \
  do {                                  \
    pthread_mutex_lock(&check_mutex);   \
    CHECK(__VA_ARGS__);                 \
    pthread_mutex_unlock(&check_mutex); \
  } while (0)

typedef void Work(int thread);
typedef struct {
  Work* work;
  int number;
} Task;

static void* run_task(void* argument) {
  const Task* task = argument;
  task->work(task->number);
  return NULL;
}

static void in_all_threads(Work* work) {
  pthread_t threads[THREADS];
  Task tasks[THREADS];
  for (int i = 0; i < THREADS; ++i) {
    tasks[i] = (Task){work, i};
    CHECK(pthread_create(&threads[i], NULL, run_task, &tasks[i]) == 0, "thread %d starts", i);
  }
  for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
  shmem_barrier_all();
}

static void atomics_of_threads_add_up(int thread) {
  (void)thread;
  for (int i = 0; i < ROUNDS; ++i) shmem_long_atomic_inc(&counter, 0);
}

/* Thread t of each PE passes tokens round a ring of its own; each wait blocks its own thread only. */
static void rings_turn_independently(int thread) {
  for (uint64_t turn = 1; turn <= ROUNDS; ++turn) {
    if (me != 0) shmem_signal_wait_until(&signals[thread], SHMEM_CMP_GE, turn);
    const long token = me == 0 ? (long)turn : slots[thread];
    shmem_long_put_signal(&slots[thread], &token, 1, &signals[thread], turn, SHMEM_SIGNAL_SET, right());
    if (me == 0) shmem_signal_wait_until(&signals[thread], SHMEM_CMP_GE, turn);
    THREAD_CHECK(token >= (long)turn, "ring %d at turn %d has %ld", thread, (int)turn, token);
  }
}

static void each_thread_has_its_context(int thread) {
  static long targets[THREADS][64];
  for (int round = 0; round < ROUNDS / 10; ++round) {
    shmem_ctx_t ctx = SHMEM_CTX_INVALID;
    THREAD_CHECK(shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx) == 0, "a private context in thread %d", thread);
    for (int i = 0; i < 64; ++i) shmem_ctx_long_p(ctx, &targets[thread][i], round + i, right());
    shmem_ctx_quiet(ctx);
    THREAD_CHECK(shmem_ctx_long_g(ctx, &targets[thread][63], right()) == round + 63, "thread %d reads back",
                 thread);
    shmem_ctx_destroy(ctx);
  }
}

/* Different teams may be used by different threads at the same time. */
static void teams_work_concurrently(int thread) {
  for (int round = 0; round < ROUNDS; ++round) {
    ones[thread] = round + thread;
    shmem_long_sum_reduce(teams[thread], &sums[thread][round % 2], &ones[thread], 1);
    THREAD_CHECK(sums[thread][round % 2] == (long)npes * (round + thread), "thread %d, round %d: sum %ld",
                 thread, round, sums[thread][round % 2]);
    shmem_team_sync(teams[thread]);
  }
}

/* The lock is the PE's: its threads take turns with a mutex of their own. */
static void locks_exclude_other_pes(int thread) {
  static pthread_mutex_t mine = PTHREAD_MUTEX_INITIALIZER;
  (void)thread;
  for (int i = 0; i < ROUNDS / 5; ++i) {
    pthread_mutex_lock(&mine);
    shmem_set_lock(&lock);
    shmem_long_p(&locked_counter, shmem_long_g(&locked_counter, 0) + 1, 0);
    shmem_clear_lock(&lock);
    pthread_mutex_unlock(&mine);
  }
}

/* One thread waits for what another thread of the same PE writes. */
static void threads_of_a_pe_can_signal_each_other(int thread) {
  static int turn;
  for (int round = 0; round < ROUNDS; ++round) {
    shmem_int_wait_until(&turn, SHMEM_CMP_EQ, round * THREADS + thread);
    shmem_int_atomic_inc(&turn, me);
  }
}

static void levels_are_ordered(void) {
  int level = -1;
  CHECK(SHMEM_THREAD_SINGLE < SHMEM_THREAD_FUNNELED && SHMEM_THREAD_FUNNELED < SHMEM_THREAD_SERIALIZED &&
            SHMEM_THREAD_SERIALIZED < SHMEM_THREAD_MULTIPLE,
        "the levels are ordered");
  shmem_query_thread(&level);
  CHECK(level == SHMEM_THREAD_MULTIPLE, "query_thread says %d", level);
}

static void make_teams(void) {
  for (int i = 0; i < THREADS; ++i)
    CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, i % 2 ? npes - 1 : 0, i % 2 ? -1 : 1, npes, NULL, 0,
                                   &teams[i]) == 0,
          "team %d", i);
}

int main(void) {
  int provided = -1;
  CHECK(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided) == 0, "init_thread");
  CHECK(provided == SHMEM_THREAD_MULTIPLE, "level %d is provided", provided);
  learn_who_i_am();
  levels_are_ordered();
  make_teams();
  in_all_threads(atomics_of_threads_add_up);
  CHECK(shmem_long_g(&counter, 0) == (long)THREADS * ROUNDS * npes, "the counter is %ld",
        shmem_long_g(&counter, 0));
  in_all_threads(rings_turn_independently);
  in_all_threads(each_thread_has_its_context);
  in_all_threads(teams_work_concurrently);
  in_all_threads(locks_exclude_other_pes);
  CHECK(shmem_long_g(&locked_counter, 0) == (long)THREADS * (ROUNDS / 5) * npes, "the locked counter");
  in_all_threads(threads_of_a_pe_can_signal_each_other);
  return end();
}
