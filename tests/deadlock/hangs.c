/* Programs that hang, by name; PE numbers as their reports are expected to tell them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <pthread.h>
#include <shmem.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int flag;
static long counter = 3;
static uint64_t news[4];
static long f; /* what C++ writes for float */
static long lock_a, lock_b;
static long source, dest;
static int me, pes;

static void abort_at(int signal) {
  (void)signal;
  abort();
}

static void wait_for_flag(void) { shmem_int_wait_until(&flag, SHMEM_CMP_EQ, 1); }

static void* wait_in_thread(void* word) {
  shmem_int_wait_until(word, SHMEM_CMP_NE, 0);
  return NULL;
}

static void barrier_and_flag(void) {
  if (me == 0) shmem_barrier_all();
  wait_for_flag();
}

/* Handlers of faults change nothing, and neither does a child for which nobody has waited. */
static void child_that_has_ended(void) {
  signal(SIGSEGV, abort_at);
  if (fork() == 0) _exit(0);
  barrier_and_flag();
}

static void locks_crosswise(void) {
  long *first = me == 0 ? &lock_a : &lock_b, *second = me == 0 ? &lock_b : &lock_a;
  shmem_set_lock(first);
  shmem_barrier_all();
  shmem_set_lock(second);
}

static void lock_twice(void) {
  shmem_set_lock(&lock_a);
  shmem_set_lock(&lock_a);
}

static void lock_and_barrier(void) {
  if (me == 0) shmem_set_lock(&lock_a);
  shmem_sync_all();
  if (me != 0) shmem_set_lock(&lock_a);
  shmem_barrier_all();
}

static void teams_in_other_order(void) {
  shmem_team_t team;
  shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 2, NULL, 0, &team);
  if (me == 0) shmem_team_sync(team);
  if (me < 2) shmem_broadcastmem(SHMEM_TEAM_WORLD, &dest, &source, sizeof dest, 0);
  if (me == 1) shmem_team_sync(team);
}

static void value_that_has_passed(void) {
  shmem_long_atomic_inc(&counter, (me + 1) % pes);
  shmem_barrier_all();
  shmem_long_wait_until(&counter, SHMEM_CMP_EQ, 3);
}

static void signal_to_nobody(void) {
  if (me == 0) shmem_signal_wait_until(&news[1], SHMEM_CMP_GE, 7);
  shmem_barrier_all();
}

static void ring_without_a_first(void) {
  shmem_int_wait_until(&flag, SHMEM_CMP_NE, 0);
  shmem_int_p(&flag, 1, (me + 1) % pes);
}

static void word_named_f(void) { shmem_long_wait_until(&f, SHMEM_CMP_NE, 0); }

static void allocation_and_flag(void) {
  int* heap_flag = shmem_calloc(4, sizeof *heap_flag);
  if (me != 0) free(shmem_malloc(64));
  shmem_int_wait_until(heap_flag + 2, SHMEM_CMP_NE, 0);
}

static void word_of_a_resized_block(void) {
  long* small = shmem_malloc(8);
  long* words = shmem_realloc(small, 800);
  words[0] = 0;
  if (me == 0) shmem_long_wait_until(words, SHMEM_CMP_GE, 1);
  shmem_barrier_all();
}

static void any_of_many(void) {
  if (me == 0) shmem_uint64_wait_until_any(news, 4, NULL, SHMEM_CMP_NE, 0);
  shmem_sync_all();
}

static void barrier_of_all_but_one(void) {
  if (me > 0) shmem_barrier_all();
}

static void lock_and_allocation(void) {
  if (me == 0) shmem_set_lock(&lock_a);
  shmem_sync_all();
  if (me != 0) shmem_set_lock(&lock_a);
  free(shmem_malloc(64));
}

static void allocation_of_all_but_one(void) {
  if (me > 0) shmem_malloc(80);
}

static void wait_of_all_but_one(void) {
  if (me > 0) wait_for_flag();
}

static void reduction_of_some(void) {
  if (me == pes - 1) wait_for_flag();
  shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &dest, &source, 1);
}

static void reduction_of_all_but_one(void) {
  if (me > 0) shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &dest, &source, 1);
}

/* The deprecated collectives: all but PE 0 come to one on a set that nobody has used before. */
static void active_set_of_some(void) {
  static long sync[SHMEM_BCAST_SYNC_SIZE];
  if (me > 0) shmem_broadcast64(&dest, &source, 1, 0, 0, 0, pes, sync);
  wait_for_flag();
}

static void threads(void) {
  static int words[2];
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, wait_in_thread, &words[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
}

static const struct {
  const char* name;
  void (*run)(void);
} all[] = {
    {"barrier_and_flag", barrier_and_flag},
    {"child_that_has_ended", child_that_has_ended},
    {"locks_crosswise", locks_crosswise},
    {"lock_twice", lock_twice},
    {"lock_and_barrier", lock_and_barrier},
    {"teams_in_other_order", teams_in_other_order},
    {"value_that_has_passed", value_that_has_passed},
    {"signal_to_nobody", signal_to_nobody},
    {"ring_without_a_first", ring_without_a_first},
    {"word_named_f", word_named_f},
    {"allocation_and_flag", allocation_and_flag},
    {"word_of_a_resized_block", word_of_a_resized_block},
    {"any_of_many", any_of_many},
    {"reduction_of_some", reduction_of_some},
    {"active_set_of_some", active_set_of_some},
    {"barrier_of_all_but_one", barrier_of_all_but_one},
    {"reduction_of_all_but_one", reduction_of_all_but_one},
    {"lock_and_allocation", lock_and_allocation},
    {"allocation_of_all_but_one", allocation_of_all_but_one},
    {"wait_of_all_but_one", wait_of_all_but_one},
    {"threads", threads},
};

int main(int argc, char** argv) {
  int provided;
  shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
  me = shmem_my_pe(), pes = shmem_n_pes();
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (argc > 1 && strcmp(argv[1], all[i].name) == 0) all[i].run();
  printf("PE %d has come to the end\n", me);
  shmem_finalize();
}
