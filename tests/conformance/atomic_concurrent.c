/* Nothing is lost when all PEs work on one word at once (3.2, 9.7). TEST_ROUNDS multiplies how often, 0.1 makes it a tenth.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"
#include "types.h"

static int rounds = 2000;

#define DEFINE(NAME, TYPE)                                                                                 \
  static TYPE NAME##_word;                                                                                 \
  static void NAME##_adds_are_not_lost(void) {                                                             \
    NAME##_word = 0;                                                                                       \
    shmem_barrier_all();                                                                                   \
    for (int i = 0; i < rounds; ++i) {                                                                     \
      shmem_##NAME##_atomic_add(&NAME##_word, 3, 0);                                                       \
      shmem_##NAME##_atomic_inc(&NAME##_word, 0);                                                          \
      (void)shmem_##NAME##_atomic_fetch_add(&NAME##_word, 2, 0);                                           \
      (void)shmem_##NAME##_atomic_fetch_inc(&NAME##_word, 0);                                              \
    }                                                                                                      \
    shmem_barrier_all();                                                                                   \
    CHECK(shmem_##NAME##_g(&NAME##_word, 0) == (TYPE)(7 * rounds * npes),                                  \
          "sum of all additions to a " #NAME);                                                             \
    shmem_barrier_all();                                                                                   \
  }                                                                                                        \
  static void NAME##_compare_swap_counts(void) {                                                           \
    NAME##_word = 0;                                                                                       \
    shmem_barrier_all();                                                                                   \
    for (int i = 0; i < rounds / 4; ++i) {                                                                 \
      TYPE seen = shmem_##NAME##_atomic_fetch(&NAME##_word, 0), before;                                    \
      while ((before = shmem_##NAME##_atomic_compare_swap(&NAME##_word, seen, seen + 1, 0)) != seen)       \
        seen = before;                                                                                     \
    }                                                                                                      \
    shmem_barrier_all();                                                                                   \
    CHECK(shmem_##NAME##_g(&NAME##_word, 0) == (TYPE)(rounds / 4 * npes), "compare_swap counter, " #NAME); \
    shmem_barrier_all();                                                                                   \
  }

AMO_TYPES(DEFINE)

/* Each ticket is drawn exactly once. */
static void fetch_inc_hands_out_each_number_once(void) {
  static long counter;
  int* drawn = shmem_calloc(rounds * npes, sizeof *drawn);
  for (int i = 0; i < rounds; ++i) {
    const long ticket = shmem_long_atomic_fetch_inc(&counter, npes - 1);
    CHECK(ticket >= 0 && ticket < rounds * npes, "ticket %ld", ticket);
    shmem_int_atomic_inc(drawn + ticket, 0);
  }
  shmem_barrier_all();
  for (int i = 0; me == 0 && i < rounds * npes; ++i)
    CHECK(drawn[i] == 1, "ticket %d drawn %d times", i, drawn[i]);
  shmem_barrier_all();
  shmem_free(drawn);
}

#define DEFINE_BITS(NAME, TYPE)                                                                          \
  static TYPE NAME##_bits;                                                                               \
  static void NAME##_each_pe_owns_a_bit(void) {                                                          \
    const TYPE mine = (TYPE)1 << me % 31, others = ~mine;                                                \
    TYPE all = 0;                                                                                        \
    for (int pe = 0; pe < npes; ++pe) all |= (TYPE)1 << pe % 31;                                         \
    NAME##_bits = 0;                                                                                     \
    shmem_barrier_all();                                                                                 \
    for (int i = 0; i < rounds; ++i) {                                                                   \
      CHECK(!(shmem_##NAME##_atomic_fetch_or(&NAME##_bits, mine, 0) & mine), "my bit was clear");        \
      CHECK(shmem_##NAME##_atomic_fetch_and(&NAME##_bits, others, 0) & mine, "my bit was set");          \
      CHECK(!(shmem_##NAME##_atomic_fetch_xor(&NAME##_bits, mine, 0) & mine), "my bit was clear again"); \
      shmem_##NAME##_atomic_xor(&NAME##_bits, mine, 0);                                                  \
    }                                                                                                    \
    shmem_##NAME##_atomic_or(&NAME##_bits, mine, 0);                                                     \
    shmem_barrier_all();                                                                                 \
    CHECK(shmem_##NAME##_g(&NAME##_bits, 0) == all, "all bits are set in the end");                      \
    shmem_barrier_all();                                                                                 \
    shmem_##NAME##_atomic_and(&NAME##_bits, others, 0);                                                  \
    shmem_barrier_all();                                                                                 \
    CHECK(shmem_##NAME##_g(&NAME##_bits, 0) == 0, "all bits are clear in the end");                      \
    shmem_barrier_all();                                                                                 \
  }

BITWISE_AMO_TYPES(DEFINE_BITS)

/* Values travel whole: nobody may see half of one and half of another. */
static void swaps_conserve_what_is_in_circulation(void) {
  static double cell;
  double held = me + 1, total = 0;
  static double sum;
  shmem_barrier_all();
  for (int i = 0; i < rounds; ++i) held = shmem_double_atomic_swap(&cell, held, 0);
  static double remains[64];
  shmem_double_p(remains + me, held, 0);
  shmem_barrier_all();
  for (int pe = 0; pe < npes; ++pe) total += remains[pe];
  sum = total + cell;
  if (me == 0) CHECK(sum == npes * (npes + 1) / 2.0, "the values sum up to %g", sum);
}

int main(void) {
  begin();
  rounds = (int)test_rounds(rounds);
#define RUN(NAME, TYPE) NAME##_adds_are_not_lost(), NAME##_compare_swap_counts();
  AMO_TYPES(RUN)
  fetch_inc_hands_out_each_number_once();
#define RUN_BITS(NAME, TYPE) NAME##_each_pe_owns_a_bit();
  BITWISE_AMO_TYPES(RUN_BITS)
  swaps_conserve_what_is_in_circulation();
  return end();
}
