/* Strides: a rectangle of my picture into a neighbour's, in one call of OpenSHMEM 1.6.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * oshcc 20_strided_blocks.c -o blocks && oshrun -n 4 ./blocks
 * Says: on ... PEs a rectangle of 5 x 3 went into the neighbour's picture
 */
#include <shmem.h>
#include <stdio.h>

enum { WIDTH = 20, HEIGHT = 10, LEFT = 12, TOP = 4, ACROSS = 5, DOWN = 3 };
static int picture[HEIGHT][WIDTH], mine[HEIGHT][WIDTH];

static int is_inside(int x, int y) { return x >= LEFT && x < LEFT + ACROSS && y >= TOP && y < TOP + DOWN; }

int main(void) {
  shmem_init();
  int me = shmem_my_pe(), n = shmem_n_pes(), right = (me + 1) % n, left = (me + n - 1) % n;
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++) mine[y][x] = 1000 * (me + 1) + y * WIDTH + x;

  /* DOWN blocks of ACROSS elements, whose beginnings are WIDTH elements apart on both sides */
  shmem_int_ibput(&picture[TOP][LEFT], &mine[TOP][LEFT], WIDTH, WIDTH, ACROSS, DOWN, right);
  shmem_barrier_all();

  int ok = 1;
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      ok = ok && picture[y][x] == (is_inside(x, y) ? 1000 * (left + 1) + y * WIDTH + x : 0);
  if (!ok) fprintf(stderr, "PE %d: a pixel is wrong\n", me);
  if (me == 0 && ok)
    printf("on %d PEs a rectangle of %d x %d went into the neighbour's picture\n", n, ACROSS, DOWN);
  shmem_finalize();
  return ok ? 0 : 1;
}
