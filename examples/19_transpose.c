/* All to all: a matrix whose rows are spread over the PEs, transposed in one call.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * oshcc 19_transpose.c -o transpose && oshrun -n 4 ./transpose
 * Says: transposed a matrix of ... x ... over ... PEs
 */
#include <shmem.h>
#include <stdio.h>

enum { ROWS = 8 /* on each PE */, BLOCK = ROWS * ROWS };

int main(void) {
  shmem_init();
  int me = shmem_my_pe(), n = shmem_n_pes(), size = ROWS * n;
  int* blocks =
      shmem_malloc((size_t)(BLOCK * n) * sizeof *blocks); /* block p: my rows, the columns of PE p */
  int* transposed = shmem_malloc((size_t)(BLOCK * n) * sizeof *transposed);

  /* Element (row, column) is row * size + column. Each block is stored with its columns first: transposed
   * here. */
  for (int p = 0; p < n; p++)
    for (int row = 0; row < ROWS; row++)
      for (int column = 0; column < ROWS; column++)
        blocks[p * BLOCK + column * ROWS + row] = (me * ROWS + row) * size + p * ROWS + column;
  shmem_sync_all(); /* everybody's target is ready */
  shmem_int_alltoall(SHMEM_TEAM_WORLD, transposed, blocks, BLOCK);

  int right = 1; /* element (row, column) is now what element (column, row) was */
  for (int row = 0; row < ROWS; row++)
    for (int column = 0; column < size; column++) {
      int element = transposed[column / ROWS * BLOCK + row * ROWS + column % ROWS];
      right = right && element == column * size + me * ROWS + row;
    }
  if (!right) fprintf(stderr, "PE %d: an element is wrong\n", me);
  if (me == 0 && right) printf("transposed a matrix of %d x %d over %d PEs\n", size, size, n);
  shmem_free(transposed);
  shmem_free(blocks);
  shmem_finalize();
  return right ? 0 : 1;
}
