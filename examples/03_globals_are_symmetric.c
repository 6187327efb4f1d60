/* Globals are symmetric: what is static in C exists on every PE, and any PE can reach it.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * oshcc 03_globals_are_symmetric.c -o globals && oshrun -n 4 ./globals
 * Says: three kinds of globals, reached from outside on ... PEs
 */
#include <shmem.h>
#include <stdio.h>

int with_value = 42;       /* .data: keeps its initial value */
static long table[1000];   /* .bss */
static const int same = 7; /* read-only data is not symmetric: nobody could write it */

static double* of_function(void) {
  static double value = 0.5;
  return &value;
}

int main(void) {
  shmem_init();
  int me = shmem_my_pe();
  int n = shmem_n_pes();
  int left = (me + n - 1) % n, right = (me + 1) % n;
  int here = 42 + me; /* a local variable is not symmetric; it can be the source of a put, not the target */

  shmem_int_put(&with_value, &here, 1, right);
  shmem_long_p(&table[999], me, right);
  shmem_double_p(of_function(), me + 0.25, right);
  shmem_barrier_all();

  int ok = with_value == 42 + left && table[999] == left && table[0] == 0 && *of_function() == left + 0.25;
  ok = ok && same == 7 && shmem_addr_accessible(&with_value, right) && !shmem_addr_accessible(&here, right);
  if (!ok) fprintf(stderr, "PE %d: %d %ld %g\n", me, with_value, table[999], *of_function());
  if (me == 0 && ok) printf("three kinds of globals, reached from outside on %d PEs\n", n);
  shmem_finalize();
  return ok ? 0 : 1;
}
