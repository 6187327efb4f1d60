/* A histogram larger than one PE's memory: its bins lie on all PEs, and everybody adds to all of them.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * oshcc -O2 14_histogram.c -o histogram && oshrun -n 4 ./histogram
 * Says: ... throws in ... bins on ... PEs, all counted
 */
#include <math.h>
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>

enum { BINS_EACH = 64, THROWS = 50000 };
static long bins[BINS_EACH];

/* xorshift64: good enough dice, other ones on each PE. */
static uint64_t throw_dice(uint64_t* state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  return *state ^= *state << 17;
}

int main(void) {
  static long mine, total;
  shmem_init();
  int me = shmem_my_pe(), n = shmem_n_pes();
  uint64_t state = 0x9E3779B97F4A7C15u * ((uint64_t)me + 1);

  for (int i = 0; i < THROWS; i++) {
    uint64_t bin = throw_dice(&state) % ((uint64_t)BINS_EACH * (uint64_t)n);
    shmem_long_atomic_inc(&bins[bin % BINS_EACH], (int)(bin / BINS_EACH));
  }
  shmem_barrier_all();

  for (int i = 0; i < BINS_EACH; i++) mine += bins[i];
  shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &total, &mine, 1);
  double expected = THROWS, spread = sqrt((double)THROWS); /* of this PE's share, when the dice are fair */
  int right = total == (long)THROWS * n && fabs((double)mine - expected) < 8 * spread;
  if (!right) fprintf(stderr, "PE %d: %ld of %ld throws\n", me, mine, total);
  if (me == 0 && right) printf("%ld throws in %d bins on %d PEs, all counted\n", total, BINS_EACH * n, n);
  shmem_finalize();
  return right ? 0 : 1;
}
