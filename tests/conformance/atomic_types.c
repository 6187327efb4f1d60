/* Every atomic routine for every type it exists for, in all its forms: what it returns and what it leaves
 * (9.7).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"
#include "types.h"

static shmem_ctx_t ctx;

/* Only the left neighbour touches a PE's word here, so each step's outcome is known. */
#define HOLDS(NAME, WANTED, AFTER)                                                                        \
  CHECK(shmem_##NAME##_atomic_fetch(word, right()) == (WANTED), "%s on %s leaves the right value", AFTER, \
        #NAME)

#define RETURNS(NAME, WANTED, CALL) CHECK((CALL) == (WANTED), "%s returns the old value", #CALL)

/* A nonblocking fetch is there after quiet. */
#define FETCHES(NAME, WANTED, CALL)                            \
  do {                                                         \
    CALL;                                                      \
    shmem_quiet();                                             \
    shmem_ctx_quiet(ctx);                                      \
    CHECK(old == (WANTED), "%s fetches the old value", #CALL); \
  } while (0)

#define DEFINE_EXTENDED(NAME, TYPE)                                                     \
  static void NAME##_fetch_set_swap(TYPE* word) {                                       \
    TYPE old = 0;                                                                       \
    shmem_##NAME##_atomic_set(word, 5, right());                                        \
    HOLDS(NAME, 5, "set");                                                              \
    shmem_ctx_##NAME##_atomic_set(ctx, word, 6, right());                               \
    shmem_ctx_quiet(ctx);                                                               \
    RETURNS(NAME, 6, shmem_ctx_##NAME##_atomic_fetch(ctx, word, right()));              \
    RETURNS(NAME, 6, shmem_##NAME##_atomic_swap(word, 7, right()));                     \
    RETURNS(NAME, 7, shmem_ctx_##NAME##_atomic_swap(ctx, word, 8, right()));            \
    FETCHES(NAME, 8, shmem_##NAME##_atomic_fetch_nbi(&old, word, right()));             \
    FETCHES(NAME, 8, shmem_ctx_##NAME##_atomic_fetch_nbi(ctx, &old, word, right()));    \
    FETCHES(NAME, 8, shmem_##NAME##_atomic_swap_nbi(&old, word, 9, right()));           \
    FETCHES(NAME, 9, shmem_ctx_##NAME##_atomic_swap_nbi(ctx, &old, word, 10, right())); \
    HOLDS(NAME, 10, "swap_nbi");                                                        \
  }

#define DEFINE_STANDARD(NAME, TYPE)                                                                      \
  static void NAME##_add_inc(TYPE* word) {                                                               \
    TYPE old = 0;                                                                                        \
    shmem_##NAME##_atomic_set(word, 100, right());                                                       \
    shmem_##NAME##_atomic_add(word, 5, right());                                                         \
    HOLDS(NAME, 105, "add");                                                                             \
    shmem_ctx_##NAME##_atomic_add(ctx, word, (TYPE)-5, right());                                         \
    shmem_ctx_quiet(ctx);                                                                                \
    RETURNS(NAME, 100, shmem_##NAME##_atomic_fetch_add(word, 1, right()));                               \
    RETURNS(NAME, 101, shmem_ctx_##NAME##_atomic_fetch_add(ctx, word, 1, right()));                      \
    FETCHES(NAME, 102, shmem_##NAME##_atomic_fetch_add_nbi(&old, word, 1, right()));                     \
    FETCHES(NAME, 103, shmem_ctx_##NAME##_atomic_fetch_add_nbi(ctx, &old, word, 1, right()));            \
    shmem_##NAME##_atomic_inc(word, right());                                                            \
    HOLDS(NAME, 105, "inc");                                                                             \
    shmem_ctx_##NAME##_atomic_inc(ctx, word, right());                                                   \
    shmem_ctx_quiet(ctx);                                                                                \
    RETURNS(NAME, 106, shmem_##NAME##_atomic_fetch_inc(word, right()));                                  \
    RETURNS(NAME, 107, shmem_ctx_##NAME##_atomic_fetch_inc(ctx, word, right()));                         \
    FETCHES(NAME, 108, shmem_##NAME##_atomic_fetch_inc_nbi(&old, word, right()));                        \
    FETCHES(NAME, 109, shmem_ctx_##NAME##_atomic_fetch_inc_nbi(ctx, &old, word, right()));               \
    HOLDS(NAME, 110, "fetch_inc_nbi");                                                                   \
  }                                                                                                      \
  static void NAME##_compare_swap(TYPE* word) {                                                          \
    TYPE old = 0;                                                                                        \
    shmem_##NAME##_atomic_set(word, 1, right());                                                         \
    RETURNS(NAME, 1, shmem_##NAME##_atomic_compare_swap(word, 2, 3, right()));                           \
    HOLDS(NAME, 1, "compare_swap with another value");                                                   \
    RETURNS(NAME, 1, shmem_##NAME##_atomic_compare_swap(word, 1, 3, right()));                           \
    RETURNS(NAME, 3, shmem_ctx_##NAME##_atomic_compare_swap(ctx, word, 3, 4, right()));                  \
    FETCHES(NAME, 4, shmem_##NAME##_atomic_compare_swap_nbi(&old, word, 4, 5, right()));                 \
    FETCHES(NAME, 5, shmem_ctx_##NAME##_atomic_compare_swap_nbi(ctx, &old, word, 4, 6, right()));        \
    HOLDS(NAME, 5, "compare_swap_nbi");                                                                  \
  }                                                                                                      \
  static void NAME##_wraps_around(TYPE* word) {                                                          \
    const int bits = sizeof(TYPE) * 8;                                                                   \
    const TYPE top = (TYPE)((uint64_t)1 << (bits - 1)), below = (TYPE)(((uint64_t)1 << (bits - 1)) - 1); \
    shmem_##NAME##_atomic_set(word, below, right());                                                     \
    shmem_##NAME##_atomic_inc(word, right());                                                            \
    HOLDS(NAME, top, "inc of the largest value");                                                        \
  }

#define DEFINE_BITWISE(NAME, TYPE, OP, SYMBOL)                                                         \
  static void NAME##_##OP(TYPE* word) {                                                                \
    const TYPE a = 0x6a, b = 0x3c, want = a SYMBOL b;                                                  \
    TYPE old = 0;                                                                                      \
    shmem_##NAME##_atomic_set(word, a, right());                                                       \
    shmem_##NAME##_atomic_##OP(word, b, right());                                                      \
    HOLDS(NAME, want, #OP);                                                                            \
    shmem_##NAME##_atomic_set(word, a, right());                                                       \
    shmem_quiet();                                                                                     \
    shmem_ctx_##NAME##_atomic_##OP(ctx, word, b, right());                                             \
    shmem_ctx_quiet(ctx);                                                                              \
    RETURNS(NAME, want, shmem_##NAME##_atomic_fetch_##OP(word, a, right()));                           \
    RETURNS(NAME, (TYPE)(want SYMBOL a), shmem_ctx_##NAME##_atomic_fetch_##OP(ctx, word, b, right())); \
    shmem_##NAME##_atomic_set(word, a, right());                                                       \
    FETCHES(NAME, a, shmem_##NAME##_atomic_fetch_##OP##_nbi(&old, word, b, right()));                  \
    FETCHES(NAME, want, shmem_ctx_##NAME##_atomic_fetch_##OP##_nbi(ctx, &old, word, a, right()));      \
    HOLDS(NAME, (TYPE)(want SYMBOL a), "fetch_" #OP "_nbi");                                           \
  }

#define DEFINE_ALL_BITWISE(NAME, TYPE) \
  DEFINE_BITWISE(NAME, TYPE, and, &)   \
  DEFINE_BITWISE(NAME, TYPE, or, |)    \
  DEFINE_BITWISE(NAME, TYPE, xor, ^)

EXTENDED_AMO_TYPES(DEFINE_EXTENDED)
AMO_TYPES(DEFINE_STANDARD)
BITWISE_AMO_TYPES(DEFINE_ALL_BITWISE)

static void test_everything_on(void* word) {
#define RUN_EXTENDED(NAME, TYPE) NAME##_fetch_set_swap(word);
  EXTENDED_AMO_TYPES(RUN_EXTENDED)
#define RUN_STANDARD(NAME, TYPE) NAME##_add_inc(word), NAME##_compare_swap(word), NAME##_wraps_around(word);
  AMO_TYPES(RUN_STANDARD)
#define RUN_BITWISE(NAME, TYPE) NAME##_and(word), NAME##_or(word), NAME##_xor(word);
  BITWISE_AMO_TYPES(RUN_BITWISE)
}

/* The other half of a 64-bit pair must not change. */
static void a_32_bit_atomic_touches_32_bits(void) {
  static uint32_t pair[2] = {1, 0xfffffffe};
  shmem_uint32_atomic_add(&pair[0], 0xffffffff, right());
  shmem_uint32_atomic_inc(&pair[1], right());
  shmem_barrier_all();
  CHECK(pair[0] == 0 && pair[1] == 0xffffffff, "the pair is %x %x", pair[0], pair[1]);
}

static void floating_values_keep_their_bits(void) {
  static double number;
  shmem_double_atomic_set(&number, -0x1.8p-1000, right());
  CHECK(shmem_double_atomic_swap(&number, 0.1, right()) == -0x1.8p-1000, "swap of a tiny double");
  CHECK(shmem_double_atomic_fetch(&number, right()) == 0.1, "fetch of a double");
}

int main(void) {
  static long long global_word;
  begin();
  CHECK(shmem_ctx_create(0, &ctx) == 0, "a context can be made");
  long long* heap_word = shmem_malloc(sizeof *heap_word);
  test_everything_on(&global_word);
  test_everything_on(heap_word);
  a_32_bit_atomic_touches_32_bits();
  floating_values_keep_their_bits();
  shmem_barrier_all();
  shmem_free(heap_word);
  shmem_ctx_destroy(ctx);
  return end();
}
