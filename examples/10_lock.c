/* A lock: several words that change together, on one PE, by everybody.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * oshcc 10_lock.c -o lock && oshrun -n 4 ./lock
 * Says: ... deposits by ... PEs: nothing lost, and the books agree
 */
#include <shmem.h>
#include <stdio.h>

enum { EACH = 200 };
static long lock;                                        /* symmetric, and zero: nobody has it */
static struct { long balance, deposits, last_pe; } book; /* PE 0's is used */

static void deposit(int amount) {
  long balance, deposits;
  shmem_set_lock(&lock);
  balance = shmem_long_g(&book.balance, 0);
  deposits = shmem_long_g(&book.deposits, 0);
  shmem_long_p(&book.balance, balance + amount, 0);
  shmem_long_p(&book.deposits, deposits + 1, 0);
  shmem_long_p(&book.last_pe, shmem_my_pe(), 0);
  shmem_clear_lock(&lock); /* the puts are complete before the next one gets the lock */
}

int main(void) {
  shmem_init();
  int me = shmem_my_pe(), n = shmem_n_pes();
  for (int i = 0; i < EACH; i++) deposit(me + 1);
  shmem_barrier_all();

  int right = me != 0 || (book.deposits == (long)EACH * n && book.balance == (long)EACH * n * (n + 1) / 2);
  right = right && book.last_pe >= 0 && book.last_pe < n;
  if (!right) fprintf(stderr, "%ld deposits make %ld\n", book.deposits, book.balance);
  if (me == 0 && right)
    printf("%ld deposits by %d PEs: nothing lost, and the books agree\n", book.deposits, n);
  shmem_finalize();
  return right ? 0 : 1;
}
