/* The C11 type-generic macros pick the right routine, with and without a context (5, 9.6-9.11).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"
#include "types.h"

static shmem_ctx_t ctx;

/* The same elements are written again and again: nothing else orders operations of one PE on several contexts. */
static void complete(void) {
  shmem_quiet();
  shmem_ctx_quiet(ctx);
}

#define DEFINE_RMA(NAME, TYPE)                                                                          \
  static void NAME##_rma(void) {                                                                        \
    static TYPE target[8];                                                                              \
    static uint64_t flag;                                                                               \
    TYPE origin[8] = {1, 2, 3, 4, 5, 6, 7, 8}, got[8];                                                  \
    shmem_put(target, origin, 8, right());                                                              \
    complete();                                                                                         \
    shmem_put(ctx, target, origin, 8, right());                                                         \
    complete();                                                                                         \
    shmem_put_nbi(target, origin, 8, right());                                                          \
    complete();                                                                                         \
    shmem_p(target, origin[0], right());                                                                \
    complete();                                                                                         \
    shmem_p(ctx, target, origin[0], right());                                                           \
    complete();                                                                                         \
    shmem_iput(target, origin, 1, 1, 8, right());                                                       \
    complete();                                                                                         \
    shmem_ibput(target, origin, 2, 2, 2, 4, right());                                                   \
    shmem_quiet();                                                                                      \
    shmem_ctx_quiet(ctx);                                                                               \
    shmem_barrier_all();                                                                                \
    shmem_get(got, target, 8, right());                                                                 \
    shmem_get(ctx, got, target, 8, right());                                                            \
    shmem_iget(got, target, 1, 1, 8, right());                                                          \
    shmem_ibget(got, target, 2, 2, 2, 4, right());                                                      \
    shmem_get_nbi(got, target, 8, right());                                                             \
    shmem_quiet();                                                                                      \
    for (int i = 0; i < 8; ++i) CHECK(got[i] == origin[i], "element %d of " #NAME, i);                  \
    CHECK(shmem_g(target, right()) == 1 && shmem_g(ctx, target + 1, right()) == 2, "g");                \
    shmem_put_signal(target, origin, 8, &flag, 1, SHMEM_SIGNAL_ADD, right());                           \
    complete();                                                                                         \
    shmem_put_signal_nbi(ctx, target, origin, 8, &flag, 1, SHMEM_SIGNAL_ADD, right());                  \
    shmem_signal_wait_until(&flag, SHMEM_CMP_EQ, 2);                                                    \
    shmem_ctx_quiet(ctx);                                                                               \
    shmem_barrier_all();                                                                                \
  }                                                                                                     \
  static void NAME##_collectives(void) {                                                                \
    static TYPE dest[512], source[512];                                                                 \
    source[0] = 1;                                                                                      \
    shmem_barrier_all();                                                                                \
    CHECK(shmem_broadcast(SHMEM_TEAM_WORLD, dest, source, 1, 0) == 0, "broadcast");                     \
    CHECK(shmem_collect(SHMEM_TEAM_WORLD, dest, source, 1) == 0, "collect");                            \
    CHECK(shmem_fcollect(SHMEM_TEAM_WORLD, dest, source, 1) == 0, "fcollect");                          \
    CHECK(shmem_alltoall(SHMEM_TEAM_WORLD, dest, source, 1) == 0, "alltoall");                          \
    CHECK(shmem_alltoalls(SHMEM_TEAM_WORLD, dest, source, 1, 1, 1) == 0, "alltoalls");                  \
    shmem_barrier_all();                                                                                \
    CHECK(shmem_max_reduce(SHMEM_TEAM_WORLD, dest, source, 1) == 0 && dest[0] == 1, "max");             \
    shmem_barrier_all();                                                                                \
    CHECK(shmem_sum_reduce(SHMEM_TEAM_WORLD, dest, source, 1) == 0 && dest[0] == (TYPE)npes, "sum");    \
    shmem_barrier_all();                                                                                \
    CHECK(shmem_sum_inscan(SHMEM_TEAM_WORLD, dest, source, 1) == 0 && dest[0] == (TYPE)(me + 1), "in"); \
    shmem_barrier_all();                                                                                \
    CHECK(shmem_sum_exscan(SHMEM_TEAM_WORLD, dest, source, 1) == 0 && dest[0] == (TYPE)me, "ex");       \
    shmem_barrier_all();                                                                                \
  }

#define DEFINE_AMO(NAME, TYPE)                                                            \
  static void NAME##_amo(void) {                                                          \
    static TYPE words[2];                                                                 \
    TYPE old = 0;                                                                         \
    size_t index[2];                                                                      \
    shmem_atomic_set(words, 5, right());                                                  \
    shmem_atomic_add(ctx, words, 1, right());                                             \
    shmem_atomic_inc(words, right());                                                     \
    shmem_quiet(), shmem_ctx_quiet(ctx);                                                  \
    CHECK(shmem_atomic_fetch_add(words, 1, right()) == 7, "fetch_add");                   \
    CHECK(shmem_atomic_fetch_inc(ctx, words, right()) == 8, "fetch_inc");                 \
    CHECK(shmem_atomic_compare_swap(words, 9, 10, right()) == 9, "compare_swap");         \
    CHECK(shmem_atomic_swap(words, 11, right()) == 10, "swap");                           \
    shmem_atomic_fetch_nbi(&old, words, right());                                         \
    shmem_quiet();                                                                        \
    CHECK(old == 11 && shmem_atomic_fetch(words, right()) == 11, "fetch");                \
    shmem_wait_until(words, SHMEM_CMP_EQ, 11);                                            \
    CHECK(shmem_test(words, SHMEM_CMP_EQ, 11) == 1, "test");                              \
    CHECK(shmem_wait_until_any(words, 2, NULL, SHMEM_CMP_EQ, 11) == 0, "wait_until_any"); \
    CHECK(shmem_test_some(words, 2, index, NULL, SHMEM_CMP_EQ, 11) == 1, "test_some");    \
    shmem_barrier_all();                                                                  \
  }

#define DEFINE_BITWISE(NAME, TYPE)                                           \
  static void NAME##_bitwise(void) {                                         \
    static TYPE word;                                                        \
    shmem_atomic_or(&word, 6, right());                                      \
    shmem_quiet();                                                           \
    CHECK(shmem_atomic_fetch_and(&word, 3, right()) == 6, "fetch_and");      \
    CHECK(shmem_atomic_fetch_xor(ctx, &word, 3, right()) == 2, "fetch_xor"); \
    CHECK(shmem_atomic_fetch(&word, right()) == 1, "the rest");              \
    shmem_barrier_all();                                                     \
  }

RMA_TYPES(DEFINE_RMA)
AMO_TYPES(DEFINE_AMO)
BITWISE_AMO_TYPES(DEFINE_BITWISE)

static void one_name_serves_the_team_and_the_active_set(void) {
  static long sync_words[SHMEM_BARRIER_SYNC_SIZE];
  for (int i = 0; i < SHMEM_BARRIER_SYNC_SIZE; ++i) sync_words[i] = SHMEM_SYNC_VALUE;
  shmem_barrier_all();
  CHECK(shmem_sync(SHMEM_TEAM_WORLD) == 0, "shmem_sync of a team");
  shmem_sync(0, 0, npes, sync_words);
}

static void signal_updates_take_a_context_or_not(void) {
  static uint64_t flag;
  shmem_signal_add(&flag, 1, right());
  shmem_signal_add(ctx, &flag, 1, right());
  CHECK(shmem_signal_wait_until(&flag, SHMEM_CMP_EQ, 2) == 2, "two signals");
  shmem_barrier_all();
  shmem_signal_set(ctx, &flag, 7, right());
  CHECK(shmem_signal_wait_until(&flag, SHMEM_CMP_EQ, 7) == 7, "a set signal");
  shmem_ctx_quiet(ctx);
}

int main(void) {
  begin();
  CHECK(shmem_ctx_create(0, &ctx) == 0, "a context can be made");
#define RUN_RMA(NAME, TYPE) NAME##_rma(), NAME##_collectives();
  RMA_TYPES(RUN_RMA)
#define RUN_AMO(NAME, TYPE) NAME##_amo();
  AMO_TYPES(RUN_AMO)
#define RUN_BITWISE(NAME, TYPE) NAME##_bitwise();
  BITWISE_AMO_TYPES(RUN_BITWISE)
  one_name_serves_the_team_and_the_active_set();
  signal_updates_take_a_context_or_not();
  shmem_ctx_destroy(ctx);
  return end();
}
