/* Locks in a default INTEGER: C's lock is a long, twice as wide. First come, first served.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *   a copy of the lock, 32 bits   bits  0..14   next: 1 + the PE behind me in the queue, 0 if none yet
 *                                      15       granted: the lock has been handed to me
 *                                      16..31   tail: 1 + the last PE in the queue, 0 if the lock is free
 *                                               (only in PE 0's copy)
 *
 * The same queue as the library's own lock (src/ops/lock.hpp), by atomic operations on one word: a PE waits on
 * its own copy, and the one in front of it hands the lock over. A zero is a free lock. */
#include "support.h"

#define NEXT 0x7FFFu
#define GRANTED 0x8000u
#define TAIL_SHIFT 16
enum { home = 0, most_pes = 0x7FFE };

static uint32_t atrium_fortran_ticket(const char* routine) {
  if (shmem_n_pes() > most_pes)
    atrium_fortran_refuse(routine, "the lock", "is too narrow",
                          "a lock in a default INTEGER serves 32766 PEs",
                          "the locks of `use shmem_f08`, which are 64 bits wide");
  return (uint32_t)shmem_my_pe() + 1;
}

static uint32_t with_tail(uint32_t word, uint32_t tail) { return (word & 0xFFFFu) | tail << TAIL_SHIFT; }

/* The tail becomes `desired` if it is `expected`. Answers the tail that was there. */
static uint32_t atrium_fortran_swap_tail_if(uint32_t* lock, uint32_t expected, uint32_t desired) {
  uint32_t word = shmem_uint32_atomic_fetch(lock, home);
  while (word >> TAIL_SHIFT == expected) {
    const uint32_t seen = shmem_uint32_atomic_compare_swap(lock, word, with_tail(word, desired), home);
    if (seen == word) break;
    word = seen;
  }
  return word >> TAIL_SHIFT;
}

static uint32_t atrium_fortran_take_tail(uint32_t* lock, uint32_t me) {
  uint32_t last = shmem_uint32_atomic_fetch(lock, home) >> TAIL_SHIFT;
  for (;;) {
    const uint32_t seen = atrium_fortran_swap_tail_if(lock, last, me);
    if (seen == last) return last;
    last = seen;
  }
}

/* My copy, once one of `bits` is set in it. */
static uint32_t atrium_fortran_await(uint32_t* lock, uint32_t bits) {
  uint32_t word = shmem_uint32_atomic_fetch(lock, shmem_my_pe());
  while (!(word & bits)) {
    shmem_uint32_wait_until(lock, SHMEM_CMP_NE, word);
    word = shmem_uint32_atomic_fetch(lock, shmem_my_pe());
  }
  return word;
}

void atrium_fortran_set_lock(uint32_t* lock) {
  const uint32_t me = atrium_fortran_ticket("SHMEM_SET_LOCK"), last = atrium_fortran_take_tail(lock, me);
  if (last == 0) return;
  if (last == me)
    atrium_fortran_refuse("SHMEM_SET_LOCK", "this PE", "holds the lock already",
                          "locks are not re-entrant: it would wait for itself",
                          "one SHMEM_CLEAR_LOCK for each SHMEM_SET_LOCK, on the same PE");
  shmem_uint32_atomic_or(lock, me, (int)last - 1);
  atrium_fortran_await(lock, GRANTED);
  shmem_uint32_atomic_and(lock, ~GRANTED, shmem_my_pe());
}

int atrium_fortran_test_lock(uint32_t* lock) {
  return atrium_fortran_swap_tail_if(lock, 0, atrium_fortran_ticket("SHMEM_TEST_LOCK")) != 0;
}

void atrium_fortran_clear_lock(uint32_t* lock) {
  const uint32_t me = atrium_fortran_ticket("SHMEM_CLEAR_LOCK");
  shmem_quiet();
  const uint32_t next = shmem_uint32_atomic_fetch(lock, shmem_my_pe()) & NEXT;
  const uint32_t last = next ? next : atrium_fortran_swap_tail_if(lock, me, 0);
  if (!next && last == me) return;
  if (last == 0)
    atrium_fortran_refuse("SHMEM_CLEAR_LOCK", "this PE", "does not hold the lock", "nobody does",
                          "one SHMEM_CLEAR_LOCK for each SHMEM_SET_LOCK, on the same PE");
  const int successor = (int)(atrium_fortran_await(lock, NEXT) & NEXT) - 1;
  shmem_uint32_atomic_and(lock, ~NEXT, shmem_my_pe());
  shmem_uint32_atomic_or(lock, GRANTED, successor);
}
