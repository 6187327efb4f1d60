/* wait_until and test, single and in sets, for every type and comparison (9.11).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"
#include "types.h"

enum { SET = 5 };

/* Is `value CMP 10` what the routine says, for values below, at and above 10? */
#define TESTS(NAME, CMP, BELOW, AT, ABOVE)                                      \
  do {                                                                          \
    NAME##_set[0] = 9;                                                          \
    CHECK(shmem_##NAME##_test(NAME##_set, CMP, 10) == BELOW, "9 %s 10", #CMP);  \
    NAME##_set[0] = 10;                                                         \
    CHECK(shmem_##NAME##_test(NAME##_set, CMP, 10) == AT, "10 %s 10", #CMP);    \
    NAME##_set[0] = 11;                                                         \
    CHECK(shmem_##NAME##_test(NAME##_set, CMP, 10) == ABOVE, "11 %s 10", #CMP); \
  } while (0)

/* Changes the right neighbour's word from FROM to TO and waits until the left one has done the same here. */
#define WAITS(NAME, CMP, FROM, TO)                                   \
  do {                                                               \
    NAME##_set[0] = FROM;                                            \
    shmem_barrier_all();                                             \
    shmem_##NAME##_atomic_set(NAME##_set, TO, right());              \
    shmem_##NAME##_wait_until(NAME##_set, CMP, 10);                  \
    CHECK(NAME##_set[0] == TO, "wait_until(%s) on %s", #CMP, #NAME); \
    shmem_barrier_all();                                             \
  } while (0)

#define DEFINE(NAME, TYPE)                                                                                  \
  static TYPE NAME##_set[SET];                                                                              \
  static void NAME##_single(void) {                                                                         \
    TESTS(NAME, SHMEM_CMP_EQ, 0, 1, 0);                                                                     \
    TESTS(NAME, SHMEM_CMP_NE, 1, 0, 1);                                                                     \
    TESTS(NAME, SHMEM_CMP_LT, 1, 0, 0);                                                                     \
    TESTS(NAME, SHMEM_CMP_LE, 1, 1, 0);                                                                     \
    TESTS(NAME, SHMEM_CMP_GT, 0, 0, 1);                                                                     \
    TESTS(NAME, SHMEM_CMP_GE, 0, 1, 1);                                                                     \
    WAITS(NAME, SHMEM_CMP_EQ, 9, 10);                                                                       \
    WAITS(NAME, SHMEM_CMP_NE, 10, 11);                                                                      \
    WAITS(NAME, SHMEM_CMP_LT, 10, 9);                                                                       \
    WAITS(NAME, SHMEM_CMP_LE, 11, 10);                                                                      \
    WAITS(NAME, SHMEM_CMP_GT, 10, 11);                                                                      \
    WAITS(NAME, SHMEM_CMP_GE, 9, 10);                                                                       \
  }                                                                                                         \
  static void NAME##_notify(void) {                                                                         \
    for (int i = 0; i < SET; ++i) NAME##_set[i] = 0;                                                        \
    shmem_barrier_all();                                                                                    \
    for (int i = SET - 1; i >= 0; --i) shmem_##NAME##_atomic_set(NAME##_set + i, i + 1, right());           \
  }                                                                                                         \
  static void NAME##_sets(void) {                                                                           \
    const TYPE wanted[SET] = {1, 2, 3, 4, 5};                                                               \
    size_t indices[SET], got;                                                                               \
    NAME##_notify();                                                                                        \
    shmem_##NAME##_wait_until_all(NAME##_set, SET, NULL, SHMEM_CMP_GT, 0);                                  \
    CHECK(shmem_##NAME##_test_all(NAME##_set, SET, NULL, SHMEM_CMP_NE, 0) == 1, "all are nonzero");         \
    CHECK(shmem_##NAME##_test_all(NAME##_set, SET, NULL, SHMEM_CMP_GE, 2) == 0, "one is below 2");          \
    CHECK(shmem_##NAME##_test_any(NAME##_set, SET, NULL, SHMEM_CMP_EQ, 4) == 3, "the only 4");              \
    CHECK(shmem_##NAME##_test_any(NAME##_set, SET, NULL, SHMEM_CMP_EQ, 9) == SIZE_MAX, "no 9");             \
    CHECK(shmem_##NAME##_test_some(NAME##_set, SET, indices, NULL, SHMEM_CMP_LE, 3) == 3, "1, 2, 3");       \
    CHECK(shmem_##NAME##_test_some(NAME##_set, SET, indices, NULL, SHMEM_CMP_LT, 1) == 0, "none");          \
    shmem_barrier_all();                                                                                    \
    NAME##_notify();                                                                                        \
    got = shmem_##NAME##_wait_until_any(NAME##_set, SET, NULL, SHMEM_CMP_EQ, 2);                            \
    CHECK(got == 1, "wait_until_any finds the only 2 at %zu", got);                                         \
    got = shmem_##NAME##_wait_until_some(NAME##_set, SET, indices, NULL, SHMEM_CMP_EQ, 5);                  \
    CHECK(got == 1 && indices[0] == 4, "wait_until_some finds the only 5");                                 \
    shmem_barrier_all();                                                                                    \
    NAME##_notify();                                                                                        \
    shmem_##NAME##_wait_until_all_vector(NAME##_set, SET, NULL, SHMEM_CMP_EQ, wanted);                      \
    CHECK(shmem_##NAME##_test_all_vector(NAME##_set, SET, NULL, SHMEM_CMP_EQ, wanted) == 1, "all equal");   \
    CHECK(shmem_##NAME##_test_any_vector(NAME##_set, SET, NULL, SHMEM_CMP_LT, wanted) == SIZE_MAX, "none"); \
    CHECK(shmem_##NAME##_test_some_vector(NAME##_set, SET, indices, NULL, SHMEM_CMP_GE, wanted) == SET,     \
          "all of them");                                                                                   \
    CHECK(shmem_##NAME##_wait_until_any_vector(NAME##_set, SET, NULL, SHMEM_CMP_GE, wanted) < SET, "any");  \
    CHECK(                                                                                                  \
        shmem_##NAME##_wait_until_some_vector(NAME##_set, SET, indices, NULL, SHMEM_CMP_EQ, wanted) == SET, \
        "wait_until_some_vector reports every satisfied element");                                          \
    shmem_barrier_all();                                                                                    \
  }

AMO_TYPES(DEFINE)

/* Deprecated since 1.5, still there. */
static void short_words_can_be_waited_for(void) {
  static short number = -3;
  static unsigned short natural = 3;
  CHECK(shmem_short_test(&number, SHMEM_CMP_LT, 0) == 1, "a negative short is below zero");
  CHECK(shmem_ushort_test(&natural, SHMEM_CMP_GT, 2) == 1, "3 is above 2");
  shmem_short_wait_until(&number, SHMEM_CMP_EQ, -3);
  shmem_ushort_wait_until(&natural, SHMEM_CMP_EQ, 3);
}

static void comparisons_respect_the_sign(void) {
  static int number = -1;
  static unsigned natural = 0xffffffffu;
  CHECK(shmem_int_test(&number, SHMEM_CMP_LT, 0) == 1, "-1 < 0 for int");
  CHECK(shmem_uint_test(&natural, SHMEM_CMP_GT, 0) == 1, "0xffffffff > 0 for unsigned");
}

int main(void) {
  begin();
#define RUN(NAME, TYPE) NAME##_single(), NAME##_sets();
  AMO_TYPES(RUN)
  short_words_can_be_waited_for();
  comparisons_respect_the_sign();
  return end();
}
