/* Exclusion by status, empty sets, fairness and unique indices of the wait and test routines (9.11).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

enum { SET = 8 };

static int words[SET];

static void empty_sets_have_the_answers_of_the_standard(void) {
  const int excluded[SET] = {1, 1, 1, 1, 1, 1, 1, 1};
  size_t indices[SET];
  memset(words, 0, sizeof words);
  shmem_int_wait_until_all(NULL, 0, NULL, SHMEM_CMP_EQ, 1);
  shmem_int_wait_until_all(words, SET, excluded, SHMEM_CMP_EQ, 1);
  CHECK(shmem_int_wait_until_any(NULL, 0, NULL, SHMEM_CMP_EQ, 1) == SIZE_MAX, "any of none");
  CHECK(shmem_int_wait_until_any(words, SET, excluded, SHMEM_CMP_EQ, 1) == SIZE_MAX, "any, all excluded");
  CHECK(shmem_int_wait_until_some(NULL, 0, NULL, NULL, SHMEM_CMP_EQ, 1) == 0, "some of none");
  CHECK(shmem_int_wait_until_some(words, SET, indices, excluded, SHMEM_CMP_EQ, 1) == 0, "some, all excluded");
  CHECK(shmem_int_test_all(NULL, 0, NULL, SHMEM_CMP_EQ, 1) == 1, "all of none are satisfied");
  CHECK(shmem_int_test_all(words, SET, excluded, SHMEM_CMP_EQ, 1) == 1, "all, all excluded");
  CHECK(shmem_int_test_any(NULL, 0, NULL, SHMEM_CMP_EQ, 1) == SIZE_MAX, "test any of none");
  CHECK(shmem_int_test_any(words, SET, excluded, SHMEM_CMP_EQ, 0) == SIZE_MAX, "test any, all excluded");
  CHECK(shmem_int_test_some(NULL, 0, NULL, NULL, SHMEM_CMP_EQ, 1) == 0, "test some of none");
  CHECK(shmem_int_test_some(words, SET, indices, excluded, SHMEM_CMP_EQ, 0) == 0, "test some, all excluded");
}

static void empty_sets_of_vectors_too(void) {
  const int excluded[SET] = {1, 1, 1, 1, 1, 1, 1, 1}, ones[SET] = {1, 1, 1, 1, 1, 1, 1, 1};
  size_t indices[SET];
  shmem_int_wait_until_all_vector(NULL, 0, NULL, SHMEM_CMP_EQ, NULL);
  shmem_int_wait_until_all_vector(words, SET, excluded, SHMEM_CMP_EQ, ones);
  CHECK(shmem_int_wait_until_any_vector(NULL, 0, NULL, SHMEM_CMP_EQ, NULL) == SIZE_MAX, "any of none");
  CHECK(shmem_int_wait_until_some_vector(words, SET, indices, excluded, SHMEM_CMP_EQ, ones) == 0, "excluded");
  CHECK(shmem_int_test_all_vector(NULL, 0, NULL, SHMEM_CMP_EQ, NULL) == 1, "all of none");
  CHECK(shmem_int_test_any_vector(words, SET, excluded, SHMEM_CMP_EQ, ones) == SIZE_MAX, "excluded");
  CHECK(shmem_int_test_some_vector(NULL, 0, NULL, NULL, SHMEM_CMP_EQ, NULL) == 0, "some of none");
}

static void a_nonzero_status_excludes(void) {
  const int status[SET] = {0, 5, 0, -1, 0, 1, 0, 1};
  size_t indices[SET];
  for (int i = 0; i < SET; ++i) words[i] = i % 2 == 0;
  shmem_int_wait_until_all(words, SET, status, SHMEM_CMP_EQ, 1);
  CHECK(shmem_int_test_all(words, SET, status, SHMEM_CMP_EQ, 1) == 1, "the included ones are all 1");
  CHECK(shmem_int_test_any(words, SET, status, SHMEM_CMP_EQ, 0) == SIZE_MAX, "no included one is 0");
  CHECK(shmem_int_test_some(words, SET, indices, status, SHMEM_CMP_EQ, 1) == SET / 2, "every second one");
  for (int i = 0; i < SET / 2; ++i) CHECK(indices[i] % 2 == 0, "index %zu was excluded", indices[i]);
}

/* Repeated calls must come to every satisfied element, whichever satisfied ones lie before it. */
static void any_is_fair(void) {
  int seen[SET] = {0};
  for (int i = 0; i < SET; ++i) words[i] = 1;
  for (int call = 0; call < 100 * SET; ++call) {
    const size_t by_wait = shmem_int_wait_until_any(words, SET, NULL, SHMEM_CMP_EQ, 1);
    CHECK(by_wait < SET, "index %zu", by_wait);
    seen[by_wait % SET] = 1;
  }
  for (int i = 0; i < SET; ++i) CHECK(seen[i], "wait_until_any never reported element %d", i);
  memset(seen, 0, sizeof seen);
  for (int call = 0; call < 100 * SET; ++call)
    seen[shmem_int_test_any(words, SET, NULL, SHMEM_CMP_EQ, 1) % SET] = 1;
  for (int i = 0; i < SET; ++i) CHECK(seen[i], "test_any never reported element %d", i);
}

static void some_reports_each_satisfied_element_once(void) {
  size_t indices[SET];
  int seen[SET] = {0};
  for (int i = 0; i < SET; ++i) words[i] = 1;
  const size_t count = shmem_int_wait_until_some(words, SET, indices, NULL, SHMEM_CMP_EQ, 1);
  CHECK(count == SET, "%zu of %d", count, SET);
  for (size_t i = 0; i < count; ++i) ++seen[indices[i]];
  for (int i = 0; i < SET; ++i) CHECK(seen[i] == 1, "element %d is reported %d times", i, seen[i]);
}

/* The usual work loop: whoever reports is excluded from then on. */
static void a_work_loop_hears_from_every_pe_once(void) {
  int *flags = shmem_calloc(npes, sizeof *flags), *status = calloc(npes, sizeof *status);
  for (int pe = 0; pe < npes; ++pe) shmem_int_atomic_set(flags + me, 1, pe);
  for (int heard = 0; heard < npes; ++heard) {
    const size_t from = shmem_int_wait_until_any(flags, npes, status, SHMEM_CMP_NE, 0);
    CHECK(from < (size_t)npes && !status[from], "heard from %zu", from);
    if (from < (size_t)npes) status[from] = 1;
  }
  CHECK(shmem_int_test_any(flags, npes, status, SHMEM_CMP_NE, 0) == SIZE_MAX, "everybody has reported");
  shmem_barrier_all();
  free(status);
  shmem_free(flags);
}

int main(void) {
  begin();
  empty_sets_have_the_answers_of_the_standard();
  empty_sets_of_vectors_too();
  a_nonzero_status_excludes();
  any_is_fair();
  some_reports_each_satisfied_element_once();
  a_work_loop_hears_from_every_pe_once();
  return end();
}
