/* Locks: mutual exclusion, order of arrival, test_lock's answers, many locks, and what clear_lock completes
 * (9.13).
 * SPDX-License-Identifier: BSD-3-Clause */
#include <unistd.h>

#include "check.h"

enum { ROUNDS = 300, LOCKS = 100 };

static long lock, busy_lock, locks[LOCKS];
static long counter, counters[LOCKS];

/* Read, add, write without any atomic: only the lock keeps it whole. clear_lock makes the put visible. */
static void add_one(long* to, int owner) { shmem_long_p(to, shmem_long_g(to, owner) + 1, owner); }

static void only_one_pe_is_inside(void) {
  for (int i = 0; i < ROUNDS; ++i) {
    shmem_set_lock(&lock);
    add_one(&counter, 0);
    shmem_clear_lock(&lock);
  }
  shmem_barrier_all();
  CHECK(shmem_long_g(&counter, 0) == (long)ROUNDS * npes, "the counter is %ld", shmem_long_g(&counter, 0));
}

static void locks_in_the_heap_work_too(void) {
  long* heap = shmem_calloc(2, sizeof *heap);
  for (int i = 0; i < ROUNDS; ++i) {
    shmem_set_lock(heap);
    add_one(heap + 1, npes - 1);
    shmem_clear_lock(heap);
  }
  shmem_barrier_all();
  CHECK(shmem_long_g(heap + 1, npes - 1) == (long)ROUNDS * npes, "the counter in the heap");
  shmem_barrier_all();
  shmem_free(heap);
}

static void many_locks_do_not_mix(void) {
  for (int i = 0; i < LOCKS; ++i) {
    const int which = (i * 7 + me) % LOCKS;
    shmem_set_lock(locks + which);
    add_one(counters + which, which % npes);
    shmem_clear_lock(locks + which);
  }
  shmem_barrier_all();
  for (int i = 0; i < LOCKS; ++i) CHECK(shmem_long_g(counters + i, i % npes) == npes, "counter %d", i);
  shmem_barrier_all();
}

static void several_locks_can_be_held_at_once(void) {
  for (int i = 0; i < 10; ++i) {
    for (int k = 0; k < 5; ++k) shmem_set_lock(locks + k);
    for (int k = 4; k >= 0; --k) shmem_clear_lock(locks + (k * 2) % 5);
  }
  shmem_barrier_all();
}

static void test_lock_says_0_when_it_got_the_lock_and_1_when_not(void) {
  if (me == 0) CHECK(shmem_test_lock(&busy_lock) == 0, "a free lock is acquired");
  shmem_barrier_all();
  if (me != 0) CHECK(shmem_test_lock(&busy_lock) == 1, "a held lock is busy");
  shmem_barrier_all();
  if (me == 0) shmem_clear_lock(&busy_lock);
  shmem_barrier_all();
  if (me == npes - 1) {
    CHECK(shmem_test_lock(&busy_lock) == 0, "a released lock is free");
    shmem_clear_lock(&busy_lock);
  }
  shmem_barrier_all();
}

static void test_lock_excludes_like_set_lock(void) {
  counter = 0;
  shmem_barrier_all();
  for (int i = 0; i < ROUNDS / 4; ++i) {
    if (i % 2 == 0) {
      shmem_set_lock(&lock);
    } else {
      while (shmem_test_lock(&lock)) usleep(1);
    }
    add_one(&counter, 0);
    shmem_clear_lock(&lock);
  }
  shmem_barrier_all();
  CHECK(shmem_long_g(&counter, 0) == (long)(ROUNDS / 4) * npes, "counter %ld", shmem_long_g(&counter, 0));
}

/* PE k queues up after PE k-1 has said that it is about to, and has had ample time to do so; the order of service must be
 * the order of arrival. */
static void waiters_are_served_in_order(void) {
  static long served, next_may_queue;
  static long order[64];
  if (me == 0) shmem_set_lock(&lock);
  shmem_barrier_all();
  if (me > 0) shmem_long_wait_until(&next_may_queue, SHMEM_CMP_EQ, 1);
  if (me > 0) usleep(100000);
  shmem_long_p(&next_may_queue, 1, (me + 1) % npes);
  if (me != 0) {
    shmem_set_lock(&lock);
    shmem_long_p(order + shmem_long_atomic_fetch_inc(&served, 0), me, 0);
  } else {
    shmem_long_wait_until(&next_may_queue, SHMEM_CMP_EQ, 1);
    usleep(100000);
  }
  shmem_clear_lock(&lock);
  shmem_barrier_all();
  for (int i = 0; me == 0 && i < npes - 1; ++i)
    CHECK(order[i] == i + 1, "PE %ld was served at %d", order[i], i);
}

/* Afterwards any bit pattern left in the lock must again mean: free. */
static void a_lock_can_be_used_again_and_again(void) {
  for (int i = 0; i < 1000; ++i) {
    shmem_set_lock(locks + me % LOCKS);
    shmem_clear_lock(locks + me % LOCKS);
    if (shmem_test_lock(locks + me % LOCKS) == 0) shmem_clear_lock(locks + me % LOCKS);
  }
  shmem_barrier_all();
}

int main(void) {
  begin();
  only_one_pe_is_inside();
  locks_in_the_heap_work_too();
  many_locks_do_not_mix();
  several_locks_can_be_held_at_once();
  test_lock_says_0_when_it_got_the_lock_and_1_when_not();
  test_lock_excludes_like_set_lock();
  waiters_are_served_in_order();
  a_lock_can_be_used_again_and_again();
  return end();
}
