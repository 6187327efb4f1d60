/* One typical mistake, by its name. PE 0 makes most of them towards PE 1. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <pthread.h>
#include <shmem.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { elements = 16 };
static long word, words[elements], more[elements];
static uint64_t signal_word;
static int number;
static long p_sync[SHMEM_REDUCE_SYNC_SIZE + SHMEM_BCAST_SYNC_SIZE], p_work[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static _Thread_local long mine_alone;

#if SHMEM_MAJOR_VERSION == 1 && SHMEM_MINOR_VERSION < 5
#include "mistakes_before_1_5.h"
#endif

static void put_to(long* dest) { shmem_long_put(dest, more, elements, 1); }

static void* put_in_thread(void* unused) {
  shmem_long_p(&word, 1, 0);
  return unused;
}

static void* reduce_in_thread(void* unused) {
  shmem_long_sum_reduce(SHMEM_TEAM_WORLD, words, more, 1);
  return unused;
}

/* In the manual: Addresses */
static void memory(const char* way, long* local) {
  if (!strcmp(way, "put to malloc")) put_to(malloc(sizeof words));
  if (!strcmp(way, "put to a large malloc")) put_to(malloc(64 << 20));
  if (!strcmp(way, "put to one's own malloc")) shmem_long_put(malloc(sizeof words), more, elements, 0);
  if (!strcmp(way, "put to a local variable")) put_to(local);
  if (!strcmp(way, "put to a thread-local variable")) shmem_long_p(&mine_alone, 1, 1);
  if (!strcmp(way, "put to a string")) shmem_putmem((void*)(uintptr_t) "constant", "c", 1, 1);
  if (!strcmp(way, "put to NULL")) put_to(NULL);
  if (!strcmp(way, "put from NULL")) shmem_long_put(words, NULL, elements, 1);
  if (!strcmp(way, "get from malloc")) shmem_long_get(words, malloc(sizeof words), elements, 1);
  if (!strcmp(way, "g of malloc")) word = shmem_long_g(malloc(sizeof word), 1);
  if (!strcmp(way, "atomic on malloc")) shmem_long_atomic_inc(calloc(1, sizeof word), 1);
  if (!strcmp(way, "fetch from a local variable")) word = shmem_long_atomic_fetch(local, 1);
  if (!strcmp(way, "signal in malloc"))
    shmem_long_put_signal(words, more, 1, calloc(1, 8), 1, SHMEM_SIGNAL_SET, 1);
  if (!strcmp(way, "strided put to malloc")) shmem_long_iput(malloc(sizeof words), more, 1, 1, elements, 1);
  if (!strcmp(way, "nonblocking put to malloc"))
    shmem_long_put_nbi(malloc(sizeof words), more, elements, 1), shmem_quiet();
  if (!strcmp(way, "put to what shmem_ptr gave")) put_to(shmem_ptr(words, 1) ? shmem_ptr(words, 1) : local);
  if (!strcmp(way, "put behind the static data")) shmem_long_p(words + (1 << 20), 1, 1);
  if (!strcmp(way, "put to freed memory twice")) free(local = malloc(8)), put_to(local);
}

/* In the manual: Arguments */
static void numbers(const char* way) {
  if (!strcmp(way, "PE number one too large")) shmem_long_p(&word, 1, shmem_n_pes());
  if (!strcmp(way, "PE number -1")) shmem_long_p(&word, 1, -1);
  if (!strcmp(way, "PE number far outside")) shmem_long_p(&word, 1, 1000000);
  if (!strcmp(way, "get from PE -1")) word = shmem_long_g(&word, -1);
  if (!strcmp(way, "atomic on PE 2 of 2")) shmem_long_atomic_inc(&word, 2);
  if (!strcmp(way, "invalid context")) shmem_ctx_long_put(SHMEM_CTX_INVALID, words, more, elements, 1);
  if (!strcmp(way, "put beyond the object")) shmem_long_put(words, more, elements + 1, 1);
  if (!strcmp(way, "get beyond the object")) shmem_long_get(words, more, elements + 1, 1);
  if (!strcmp(way, "unaligned put")) shmem_long_p((long*)((char*)words + 1), 1, 1);
  if (!strcmp(way, "unaligned atomic")) shmem_long_atomic_inc((long*)((char*)words + 1), 1);
  if (!strcmp(way, "put of 2^61 + 1 longs")) shmem_long_put(words, more, ((size_t)1 << 61) + 1, 1);
  if (!strcmp(way, "overlapping put to oneself")) shmem_long_put(words + 1, words, elements - 1, 0);
  if (!strcmp(way, "clearing a lock that is not held")) shmem_clear_lock(&word);
  if (!strcmp(way, "setting a lock twice")) shmem_set_lock(&word), shmem_set_lock(&word);
  if (!strcmp(way, "wait that nobody ends")) shmem_long_wait_until(&word, SHMEM_CMP_EQ, 1);
  if (!strcmp(way, "freeing what malloc gave")) shmem_free(malloc(8));
  if (!strcmp(way, "storing to NULL"))
    *(long* volatile*)&(long*){NULL} = NULL, *(volatile long*)(uintptr_t)word = 1;
}

static void more_numbers(const char* way) {
  if (!strcmp(way, "wait with an unknown comparison")) shmem_long_wait_until(&word, 42, 0);
  if (!strcmp(way, "strided put with stride 0")) shmem_long_iput(words, more, 0, 1, elements, 1);
  if (!strcmp(way, "signal with an unknown operation"))
    shmem_long_put_signal(words, more, 1, &signal_word, 1, 42, 1);
}

static void sizes(const char* way, int me, long* local) {
  if (!strcmp(way, "fcollect into too small an array"))
    shmem_long_fcollect(SHMEM_TEAM_WORLD, words, more, elements);
  if (me != 0) return;
  if (!strcmp(way, "put of -1 elements")) shmem_long_put(words, more, (size_t)-1, 1);
  if (!strcmp(way, "strided put beyond the object")) shmem_long_iput(words, more, 2, 1, elements, 1);
  if (!strcmp(way, "wait for a local variable")) shmem_long_wait_until(local, SHMEM_CMP_EQ, 1);
}

/* In the manual: Allocation, teams, threads */
static void calls(const char* way, int me) {
  shmem_team_t team = SHMEM_TEAM_INVALID;
  pthread_t thread;
  void* block = !strncmp(way, "free", 4) || !strncmp(way, "realloc", 7) ? shmem_malloc(64) : NULL;
  void* other = block ? shmem_malloc(64) : NULL;
  if (!strcmp(way, "malloc of different sizes")) shmem_malloc(me ? 80 : 40);
  if (!strcmp(way, "malloc and calloc")) me ? shmem_malloc(80) : shmem_calloc(10, 8);
  if (!strcmp(way, "align of different alignments")) shmem_align(me ? 64 : 4096, 80);
  if (!strcmp(way, "realloc of different sizes")) shmem_realloc(block, me ? 80 : 160);
  if (!strcmp(way, "free of different blocks")) shmem_free(me ? block : other);
  if (!strcmp(way, "free twice")) shmem_free(block), shmem_free(block);
  if (!strcmp(way, "malloc on one PE alone") && me) shmem_malloc(80);
  if (!strcmp(way, "malloc against a barrier")) me ? shmem_malloc(80) : (shmem_barrier_all(), NULL);
  if (!strcmp(way, "malloc of more than the heap")) word = shmem_malloc((size_t)1 << 50) != NULL;
  if (!strcmp(way, "splits of different shapes"))
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, me ? 1 : 2, NULL, 0, &team);
  if (!strcmp(way, "grids of different widths"))
    shmem_team_split_2d(SHMEM_TEAM_WORLD, me + 1, NULL, 0, &team, NULL, 0, &team);
  if (!strcmp(way, "collective on an invalid team")) shmem_int_sum_reduce(team, &number, &number, 1);
  if (!strcmp(way, "broadcasts from different roots"))
    shmem_long_broadcast(SHMEM_TEAM_WORLD, words, more, elements, me);
  if (!strcmp(way, "second thread under THREAD_SINGLE"))
    pthread_create(&thread, NULL, put_in_thread, NULL), pthread_join(thread, NULL);
  if (!strcmp(way, "reduction in a second thread"))
    pthread_create(&thread, NULL, reduce_in_thread, NULL), pthread_join(thread, NULL);
  if (!strcmp(way, "unknown hint")) shmem_malloc_with_hints(64, 1L << 20);
  if (!strcmp(way, "exit without finalize") && me) exit(0);
  if (!strcmp(way, "finalize twice")) shmem_finalize();
}

/* In the manual: Collectives */
static void collectives(const char* way, int me, long* local) {
  const shmem_team_t world = SHMEM_TEAM_WORLD;
  if (!strcmp(way, "reduction into a local variable")) shmem_long_sum_reduce(world, local, words, elements);
  if (!strcmp(way, "broadcast into a local variable")) shmem_long_broadcast(world, local, words, elements, 0);
  if (!strcmp(way, "reduction from a local variable")) shmem_long_sum_reduce(world, words, local, elements);
  if (!strcmp(way, "broadcast from PE 2 of 2")) shmem_long_broadcast(world, words, more, elements, 2);
  if (!strcmp(way, "reductions of different sizes")) shmem_long_sum_reduce(world, words, more, me ? 2 : 4);
  if (!strcmp(way, "sum on one PE, maximum on the other"))
    me ? shmem_long_sum_reduce(world, words, more, 2) : shmem_long_max_reduce(world, words, more, 2);
  if (!strcmp(way, "broadcast against a reduction"))
    me ? shmem_long_sum_reduce(world, words, more, 2) : shmem_long_broadcast(world, words, more, 2, 0);
  if (!strcmp(way, "alltoalls with stride 0")) shmem_alltoalls64(words, more, 0, 1, 1, 0, 0, 2, p_sync);
  if (!strcmp(way, "call from outside the active set")) shmem_barrier(0, 0, 1, p_sync);
  if (!strcmp(way, "active set larger than the job")) shmem_barrier(0, 0, 3, p_sync);
}

/* In the manual: What is gone, or another PE's */
static void lifetimes(const char* way, int me) {
  shmem_team_t team = SHMEM_TEAM_INVALID;
  shmem_ctx_t context;
  if (!strcmp(way, "put to a freed block")) {
    long* const block = shmem_malloc(4096);
    shmem_free(block);
    if (me == 0) put_to(block);
  }
  if (!strcmp(way, "put on a destroyed context") && !shmem_ctx_create(0, &context)) {
    shmem_ctx_destroy(context);
    if (me == 0) shmem_ctx_long_put(context, words, more, elements, 1);
  }
  if (!strcmp(way, "destroying the world team")) shmem_team_destroy(SHMEM_TEAM_WORLD);
  if (!strcmp(way, "destroying the default context")) shmem_ctx_destroy(SHMEM_CTX_DEFAULT);
  if (!strcmp(way, "destroying a context twice") && !shmem_ctx_create(0, &context))
    shmem_ctx_destroy(context), shmem_ctx_destroy(context);
  if (!strcmp(way, "destroying a team twice")) {
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 2, NULL, 0, &team);
    shmem_team_destroy(team), shmem_team_destroy(team);
  }
  if (!strcmp(way, "lock that is not 0 at first") && me == 0)
    word = 42, shmem_set_lock(&word), shmem_clear_lock(&word);
  if (!strcmp(way, "exit of the job with 256") && me == 0) shmem_global_exit(256);
  if (!strcmp(way, "clearing another PE's lock")) {
    if (me == 0) shmem_set_lock(&word);
    shmem_barrier_all();
    if (me == 1) shmem_clear_lock(&word);
    shmem_barrier_all();
  }
}

/* In the manual: Calls that one PE makes alone */
/* On a team: whose last call it is, and which lives on. */
static void alone_on_a_team(const char* way, int me) {
  shmem_team_t team = SHMEM_TEAM_INVALID;
  if (!strcmp(way, "broadcast on a team's root alone")) {
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 2, NULL, 0, &team);
    if (!me) shmem_long_broadcast(team, words, more, 1, 0);
  }
}

static void by_one_alone(const char* way, int me) {
  const shmem_team_t world = SHMEM_TEAM_WORLD;
  long* const block = !strcmp(way, "free on one PE alone") ? shmem_malloc(64) : NULL;
  if (block && me) shmem_free(block);
  if (!strcmp(way, "barrier on one PE alone") && me) shmem_barrier_all();
  if (!strcmp(way, "broadcast on its root alone") && !me) shmem_long_broadcast(world, words, more, 1, 0);
  if (!strcmp(way, "broadcast on all but its root") && me) shmem_long_broadcast(world, words, more, 1, 0);
  if (!strcmp(way, "reduction on one PE alone") && me) shmem_long_sum_reduce(world, words, more, 1);
  alone_on_a_team(way, me);
  if (!strcmp(way, "lock held in a malloc")) {
    if (!me) shmem_set_lock(&word);
    shmem_barrier_all();
    if (me) shmem_set_lock(&word);
    shmem_malloc(64);
    shmem_clear_lock(&word);
  }
}

/* In the manual: Before the start, after the end */
int main(int argc, char** argv) {
  long local[elements] = {0};
  if (argc != 2) return 2;
  for (size_t i = 0; i < sizeof p_sync / sizeof *p_sync; ++i) p_sync[i] = SHMEM_SYNC_VALUE;
  if (!strcmp(argv[1], "put before shmem_init")) shmem_long_p(&word, 1, 0);
  if (!strcmp(argv[1], "shmem_my_pe before shmem_init")) return shmem_my_pe();
  shmem_init();
  const int me = shmem_my_pe();
  if (me == 0) memory(argv[1], local), numbers(argv[1]), more_numbers(argv[1]);
  calls(argv[1], me);
  collectives(argv[1], me, local);
  lifetimes(argv[1], me);
  by_one_alone(argv[1], me);
  sizes(argv[1], me, local);
  shmem_finalize();
  if (!strcmp(argv[1], "put after shmem_finalize")) shmem_long_p(&word, 1, 0);
  return 0;
}
