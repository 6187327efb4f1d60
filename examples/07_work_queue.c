/* A work queue: pieces of uneven work, taken one by one with fetch-add. A faster PE takes more.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * oshcc -O2 07_work_queue.c -o queue && oshrun -n 4 ./queue
 * Says: 17984 primes below 200000, found by ... PEs
 */
#include <shmem.h>
#include <stdio.h>

enum { LIMIT = 200000, PIECE = 500 };
static int next_piece; /* PE 0's is used */

static int is_prime(int number) {
  if (number < 2) return 0;
  for (int divisor = 2; divisor * divisor <= number; divisor++)
    if (number % divisor == 0) return 0;
  return 1;
}

static int count_primes(int begin, int end) {
  int count = 0;
  for (int number = begin; number < end; number++) count += is_prime(number);
  return count;
}

int main(void) {
  static int primes, pieces, all_primes, all_pieces;
  shmem_init();
  for (;;) {
    int begin = shmem_int_atomic_fetch_add(&next_piece, PIECE, 0);
    if (begin >= LIMIT) break;
    primes += count_primes(begin, begin + PIECE);
    pieces += 1;
  }
  shmem_int_sum_reduce(SHMEM_TEAM_WORLD, &all_primes, &primes, 1);
  shmem_int_sum_reduce(SHMEM_TEAM_WORLD, &all_pieces, &pieces, 1);

  int right = all_primes == 17984 && all_pieces == LIMIT / PIECE;
  if (shmem_my_pe() == 0)
    printf("%d primes below %d, found by %d PEs; PE 0 did %d of %d pieces\n", all_primes, LIMIT,
           shmem_n_pes(), pieces, all_pieces);
  shmem_finalize();
  return right ? 0 : 1;
}
