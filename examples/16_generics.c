/* C11 generics: one name for all types; the compiler finds the typed routine.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * oshcc -std=c11 16_generics.c -o generics && oshrun -n 4 ./generics
 * Says: char, float and uint64_t went around ... PEs by the same names
 */
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static char word[8];
static float parts[3];
static uint64_t counter, sum, ready;

int main(void) {
  shmem_init();
  int me = shmem_my_pe(), n = shmem_n_pes(), right = (me + 1) % n, left = (me + n - 1) % n;
  char my_word[8];
  snprintf(my_word, sizeof my_word, "PE %d", me % 1000);
  float my_parts[3] = {0.5f, (float)me, 2.5f};

  shmem_put(word, my_word, sizeof word, right);
  shmem_put(SHMEM_CTX_DEFAULT, parts, my_parts, 3, right); /* with a context, too */
  shmem_atomic_add(&counter, (uint64_t)me, right);
  shmem_fence();
  shmem_atomic_set(&ready, (uint64_t)1, right);
  shmem_wait_until(&ready, SHMEM_CMP_EQ, 1);
  shmem_sum_reduce(SHMEM_TEAM_WORLD, &sum, &counter, 1);

  char expected[8];
  snprintf(expected, sizeof expected, "PE %d", left % 1000);
  int ok = strcmp(word, expected) == 0 && parts[1] == (float)left && parts[2] == 2.5f;
  ok = ok && shmem_g(&parts[1], left) == (float)((left + n - 1) % n) &&
       sum == (uint64_t)n * (uint64_t)(n - 1) / 2;
  if (!ok) fprintf(stderr, "PE %d: %s, %g, %lu\n", me, word, (double)parts[1], (unsigned long)sum);
  if (me == 0 && ok) printf("char, float and uint64_t went around %d PEs by the same names\n", n);
  shmem_finalize();
  return ok ? 0 : 1;
}
