/* fence, quiet and pe_quiet in all forms: what was issued before is there, or there first (9.12).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

enum { COUNT = 1000 };

static long data[COUNT];
static uint64_t flag;
static shmem_ctx_t ctx;

static void reset(void) {
  memset(data, 0, sizeof data);
  flag = 0;
  shmem_barrier_all();
}

static void expect_data(const char* what) {
  shmem_uint64_wait_until(&flag, SHMEM_CMP_EQ, 1);
  for (int i = 0; i < COUNT; ++i) CHECK(data[i] == left() + i, "%s: element %d came after the flag", what, i);
  shmem_barrier_all();
}

static const long* numbers(void) {
  static long origin[COUNT];
  for (int i = 0; i < COUNT; ++i) origin[i] = me + i;
  return origin;
}

static void fence_orders_puts_before_atomics(void) {
  reset();
  shmem_long_put(data, numbers(), COUNT, right());
  shmem_fence();
  shmem_uint64_atomic_set(&flag, 1, right());
  expect_data("fence");
}

static void fence_orders_nonblocking_puts(void) {
  reset();
  shmem_ctx_long_put_nbi(ctx, data, numbers(), COUNT, right());
  shmem_ctx_fence(ctx);
  shmem_ctx_uint64_atomic_set(ctx, &flag, 1, right());
  expect_data("ctx_fence");
  shmem_ctx_quiet(ctx);
}

static void quiet_completes_nonblocking_puts(void) {
  reset();
  shmem_long_put_nbi(data, numbers(), COUNT, right());
  shmem_quiet();
  shmem_uint64_p(&flag, 1, right());
  expect_data("quiet");
}

static void pe_quiet_completes_what_went_to_the_named_pes(void) {
  const int pes[] = {right()};
  reset();
  shmem_long_put_nbi(data, numbers(), COUNT, right());
  shmem_pe_quiet(pes, 1);
  shmem_uint64_p(&flag, 1, right());
  expect_data("pe_quiet");
  reset();
  shmem_ctx_long_put_nbi(ctx, data, numbers(), COUNT, right());
  shmem_ctx_pe_quiet(ctx, pes, 1);
  shmem_uint64_p(&flag, 1, right());
  expect_data("ctx_pe_quiet");
}

static void pe_quiet_of_nobody_ignores_its_pointer(void) {
  shmem_pe_quiet(NULL, 0);
  shmem_ctx_pe_quiet(ctx, NULL, 0);
}

static void the_invalid_context_is_a_no_op(void) {
  shmem_ctx_fence(SHMEM_CTX_INVALID);
  shmem_ctx_quiet(SHMEM_CTX_INVALID);
  shmem_ctx_pe_quiet(SHMEM_CTX_INVALID, NULL, 0);
}

static void quiet_completes_nonblocking_gets_and_fetches(void) {
  long got[COUNT], old = -1;
  reset();
  memcpy(data, numbers(), sizeof data);
  shmem_barrier_all();
  shmem_long_get_nbi(got, data, COUNT, right());
  shmem_long_atomic_fetch_nbi(&old, data, right());
  shmem_quiet();
  CHECK(old == right(), "the fetched value is %ld", old);
  for (int i = 0; i < COUNT; ++i) CHECK(got[i] == right() + i, "element %d of a nonblocking get", i);
  shmem_barrier_all();
}

/* Quiet makes the data visible to a third PE, told by a second one. */
static void quiet_is_visible_to_third_parties(void) {
  const int second = 1 % npes, third = 2 % npes;
  reset();
  if (me == 0) {
    shmem_long_put(data, numbers(), COUNT, third);
    shmem_quiet();
    shmem_uint64_atomic_set(&flag, 1, second);
  }
  if (me == second) {
    shmem_uint64_wait_until(&flag, SHMEM_CMP_NE, 0);
    shmem_uint64_atomic_set(&flag, 2, third);
  }
  if (me == third) {
    shmem_uint64_wait_until(&flag, SHMEM_CMP_EQ, 2);
    for (int i = 0; i < COUNT; ++i) CHECK(data[i] == i, "element %d of PE 0's put", i);
  }
  shmem_barrier_all();
}

static void a_barrier_completes_puts(void) {
  reset();
  shmem_long_put_nbi(data, numbers(), COUNT, right());
  shmem_barrier_all();
  for (int i = 0; i < COUNT; ++i) CHECK(data[i] == left() + i, "element %d after the barrier", i);
  shmem_barrier_all();
}

int main(void) {
  begin();
  CHECK(shmem_ctx_create(0, &ctx) == 0, "a context can be made");
  fence_orders_puts_before_atomics();
  fence_orders_nonblocking_puts();
  quiet_completes_nonblocking_puts();
  pe_quiet_completes_what_went_to_the_named_pes();
  pe_quiet_of_nobody_ignores_its_pointer();
  the_invalid_context_is_a_no_op();
  quiet_completes_nonblocking_gets_and_fetches();
  quiet_is_visible_to_third_parties();
  a_barrier_completes_puts();
  shmem_ctx_destroy(ctx);
  return end();
}
