/* A thread that waits in a call stops no other thread of its PE: neither in operations, nor in making contexts, nor in
 * collectives on another team (9.2).
 * SPDX-License-Identifier: BSD-3-Clause */
#include <pthread.h>
#include <unistd.h>

#include "check.h"

static shmem_team_t other, made;
static long lock, flag, counter, word, one = 1, sum, psync[SHMEM_BARRIER_SYNC_SIZE];
static uint64_t sig;
static void* block;

static void in_barrier(void) { shmem_barrier_all(); }
static void in_wait(void) { shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1); }
static void in_signal(void) { shmem_signal_wait_until(&sig, SHMEM_CMP_EQ, 1); }
static void in_lock(void) {
  shmem_set_lock(&lock);
  shmem_clear_lock(&lock);
}
static void in_malloc(void) { block = shmem_malloc(100); }
static void in_free(void) { shmem_free(block); }
static void in_split(void) { shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, npes, NULL, 0, &made); }
static void in_reduction(void) { shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sum, &one, 1); }
static void in_active_set(void) { shmem_barrier(0, 0, npes, psync); }

/* What PE 0 does so that the others' waits end, where the call itself does not. */
static void set_flags(void) {
  for (int pe = 1; pe < npes; ++pe) shmem_long_atomic_set(&flag, 1, pe);
}
static void set_signals(void) {
  for (int pe = 1; pe < npes; ++pe) shmem_signal_set(&sig, 1, pe);
}
static void take_lock(void) { shmem_set_lock(&lock); }
static void give_lock(void) { shmem_clear_lock(&lock); }
static void nothing(void) {}

static const struct {
  void (*prepare)(void);
  void (*wait)(void);
  void (*end)(void);
} calls[] = {{nothing, in_barrier, in_barrier},      {nothing, in_wait, set_flags},
             {nothing, in_signal, set_signals},      {take_lock, in_lock, give_lock},
             {nothing, in_malloc, in_malloc},        {nothing, in_free, in_free},
             {nothing, in_split, in_split},          {nothing, in_reduction, in_reduction},
             {nothing, in_active_set, in_active_set}};
enum { CALLS = sizeof calls / sizeof *calls, ROUNDS = 30 };

static void* wait_in(void* call) {
  calls[*(const int*)call].wait();
  return NULL;
}

static void work(void) {
  shmem_ctx_t ctx;
  CHECK(shmem_ctx_create(0, &ctx) == 0, "a context");
  for (int i = 0; i < ROUNDS; ++i) {
    shmem_ctx_long_atomic_inc(ctx, &counter, right());
    shmem_long_p(&word, i, right());
    shmem_ctx_quiet(ctx);
    shmem_quiet();
    CHECK(shmem_long_g(&word, right()) == i, "what was put is there in round %d", i);
  }
  shmem_ctx_destroy(ctx);
  shmem_team_sync(other);
}

/* PE 0 comes late to the call that a thread of each other PE is in. */
static void others_wait_and_work(int call) {
  pthread_t thread;
  if (me == 0) calls[call].prepare();
  shmem_team_sync(other);
  if (me != 0) pthread_create(&thread, NULL, wait_in, &call);
  usleep(10000);
  work();
  if (me == 0)
    calls[call].end();
  else
    pthread_join(thread, NULL);
  shmem_team_sync(other);
}

int main(void) {
  int provided;
  CHECK(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided) == 0, "initialisation");
  CHECK(provided == SHMEM_THREAD_MULTIPLE, "the level is %d", provided);
  learn_who_i_am();
  shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, npes, NULL, 0, &other);
  for (int call = 0; call < CALLS; ++call) others_wait_and_work(call);
  CHECK(counter == (long)ROUNDS * CALLS, "all have added: %ld", counter);
  CHECK(sum == npes && shmem_team_n_pes(made) == npes, "what the waiting threads were to bring");
  return end();
}
