/* Store buffering and its relatives: what quiet must forbid although each processor may buffer its own
 * stores. Every round uses words of its own; pairs are kept in phase by flags, so that the races really
 * happen.
 *
 * Litmus: SYNC get
 * SPDX-License-Identifier: BSD-3-Clause */
#include "litmus.h"

enum { BATCH = 1000, BATCHES = 30 };

static long x[BATCH], y[BATCH], result[2][BATCH], ready;

static void clear(void) {
  memset(x, 0, sizeof x);
  memset(y, 0, sizeof y);
  ready = 0;
  shmem_barrier_all();
}

/* Who sees neither store? x lives on the even PE, y on the odd one. */
static void count_both_zero(const char* what, int count) {
  long violations = 0;
  shmem_barrier_all();
  for (int i = 0; i_write() && i < count; ++i)
    violations += result[0][i] == 0 && shmem_long_g(&result[1][i], partner()) == 0;
  CHECK(violations == 0, "%s: %ld times in %d neither PE saw the other's store", what, violations, count);
  shmem_barrier_all();
}

/* x = 1; quiet; read y   against   y = 1; quiet; read x */
static void put_quiet_get(int i) {
  const int even = me & ~1, odd = even + 1;
  if (i_write()) {
    shmem_long_p(&y[i], 1, odd);
    shmem_quiet();
    result[0][i] = shmem_long_g(&x[i], even);
  } else {
    shmem_long_p(&x[i], 1, even);
    shmem_quiet();
    result[1][i] = shmem_long_g(&y[i], odd);
  }
}

/* The same where each PE stores into its own memory and reads the other's. */
static void own_put_quiet_get(int i) {
  const int even = me & ~1, odd = even + 1;
  if (i_write()) {
    shmem_long_p(&x[i], 1, even);
    shmem_quiet();
    result[0][i] = shmem_long_g(&y[i], odd);
  } else {
    shmem_long_p(&y[i], 1, odd);
    shmem_quiet();
    result[1][i] = shmem_long_g(&x[i], even);
  }
}

/* A block into each other's heap; who looks at its last word in place. */
enum { BLOCK = 16384, LAST = BLOCK / sizeof(long) - 1 };
static long *source, *target;
static void put_block_quiet_look(int i) {
  static long round;
  source[LAST] = ++round;
  shmem_putmem(target, source, BLOCK, partner());
  shmem_quiet();
  result[me % 2][i] = *(volatile long*)&target[LAST] == round;
}

/* Nonblocking put, then an atomic fetch. */
static void nbi_quiet_fetch(int i) {
  const int even = me & ~1, odd = even + 1;
  static const long one = 1;
  long *mine = i_write() ? &y[i] : &x[i], *other = i_write() ? &x[i] : &y[i];
  shmem_long_put_nbi(mine, &one, 1, i_write() ? odd : even);
  shmem_quiet();
  result[me % 2][i] = shmem_long_atomic_fetch(other, i_write() ? even : odd);
}

/* Fetching atomics are complete when they return: no quiet is needed. */
static void swap_then_fetch(int i) {
  const int even = me & ~1, odd = even + 1;
  long *mine = i_write() ? &y[i] : &x[i], *other = i_write() ? &x[i] : &y[i];
  (void)shmem_long_atomic_swap(mine, 1, i_write() ? odd : even);
  result[me % 2][i] = shmem_long_atomic_fetch(other, i_write() ? even : odd);
}

static int next_batch(long left) { return (int)(left < BATCH ? left : BATCH); }

static void run(void (*body)(int), const char* name) {
  for (long left = test_rounds(BATCHES * BATCH); left > 0; left -= BATCH) {
    const int count = next_batch(left);
    clear();
    for (int i = 0; i_have_a_partner() && i < count; ++i) {
      meet(&ready, i + 1);
      body(i);
    }
    count_both_zero(name, count);
  }
}

/* IRIW: two writers, two readers that read in opposite orders with a quiet between. Both orders cannot be
 * true. */
static void independent_readers_agree(void) {
  static long start;
  for (long left = test_rounds(BATCHES * BATCH); left > 0; left -= BATCH) {
    const int count = next_batch(left);
    clear();
    start = 0;
    shmem_barrier_all();
    for (int i = 0; i < count; ++i) {
      if (me == 0)
        for (int pe = 0; pe < 4; ++pe) shmem_long_atomic_set(&start, i + 1, pe);
      if (me < 4) shmem_long_wait_until(&start, SHMEM_CMP_GE, i + 1);
      if (me == 0) shmem_long_p(&x[i], 1, 2);
      if (me == 1) shmem_long_p(&y[i], 1, 3);
      if (me == 2 || me == 3) {
        long *first = me == 2 ? x : y, *second = me == 2 ? y : x;
        const int first_pe = me == 2 ? 2 : 3, second_pe = me == 2 ? 3 : 2;
        const long a = shmem_long_atomic_fetch(first + i, first_pe);
        shmem_quiet();
        result[me % 2][i] = a && !shmem_long_atomic_fetch(second + i, second_pe);
      }
    }
    shmem_barrier_all();
    for (int i = 0; me == 2 && i < count; ++i)
      CHECK(!(result[0][i] && shmem_long_g(&result[1][i], 3)), "round %d: the readers disagree on the order",
            i);
    shmem_barrier_all();
  }
}

/* Two words, one writer, one reader: never the newer without the older. */
static void reads_do_not_overtake_each_other(void) {
  const long count = test_rounds(100000);
  static long older, newer;
  long violations = 0;
  shmem_barrier_all();
  if (i_write()) {
    for (long round = 1; round <= count; ++round) {
      shmem_long_p(&older, round, partner());
      shmem_fence();
      shmem_long_p(&newer, round, partner());
    }
  } else if (i_read()) {
    for (long seen = 0; seen < count;) {
      seen = shmem_long_g(&newer, me);
      violations += shmem_long_g(&older, me) < seen;
    }
  }
  CHECK(violations == 0, "%ld of %ld gets saw the newer word before the older one", violations, count);
  shmem_barrier_all();
}

int main(void) {
  begin();
  run(put_quiet_get, "put, quiet, get");
  run(own_put_quiet_get, "put to oneself, quiet, get");
  source = shmem_calloc(2, BLOCK), target = source + LAST + 1;
  run(put_block_quiet_look, "put of a block, quiet, look");
  run(nbi_quiet_fetch, "put_nbi, quiet, fetch");
  run(swap_then_fetch, "swap, fetch");
  if (npes >= 4) independent_readers_agree();
  reads_do_not_overtake_each_other();
  return end();
}
