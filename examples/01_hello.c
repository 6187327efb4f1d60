/* Hello: the least an OpenSHMEM program does. Every PE runs the same main and knows its number.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * oshcc 01_hello.c -o hello && oshrun -n 4 ./hello
 * Says: hello from PE 0 of ...
 */
#include <shmem.h>
#include <stdio.h>

int main(void) {
  shmem_init();
  int me = shmem_my_pe();
  int n = shmem_n_pes();
  printf("hello from PE %d of %d\n", me, n);
  shmem_finalize();
  return me >= 0 && me < n ? 0 : 1;
}
