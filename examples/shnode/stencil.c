/* A five-point stencil that avoids communication: halos of several rows, exchanged once for as many steps. Rows near the edge
 * are computed twice, by both neighbours, and messages become fewer. Rows for a neighbour on my node are copied, with a
 * flag behind them; no step has a barrier.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * oshcc -O3 stencil.c -lshnode -o stencil       with an installed Atrium; over another OpenSHMEM: the manual's page on shnode
 * oshrun -n 4 ./stencil [--small]
 * Prints the milliseconds of each depth and its gain over halos of one row as measure, bytes of a row, value, unit; then
 * Says: the plate after ... steps is right: halos of ... rows give the same bits
 */
#include <shnode.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
  ROWS = 64,
  DEPTH = 8,
  REPEATS = 5
}; /* rows of a PE, and of the deepest halo; the depth divides the steps */

/* Symmetric, in one object: what the neighbours send, two exchanges in turn, and how many they have sent. */
typedef struct {
  long from_above, from_below;
  double rows[]; /* [turn][above, below][DEPTH][columns] */
} inbox;

static int me, n, columns, steps;
static long exchanges; /* so far */
static inbox* in;
static double *now, *next; /* private: DEPTH rows of halo, mine, DEPTH rows of halo */

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static void* take(size_t bytes) {
  void* memory = malloc(bytes);
  if (!memory) shmem_global_exit(3);
  return memory;
}

static double* row(double* plate, int number) { return plate + (size_t)(DEPTH + number) * (size_t)columns; }

static double* halo_in(long exchange, int below) {
  return in->rows + ((size_t)(exchange % 2) * 2 + (size_t)below) * DEPTH * (size_t)columns;
}

/* The plate is a ring of rows; its first and last columns stay. */
static void exchange_halos(int depth) {
  const int above = (me + n - 1) % n, below = (me + 1) % n;
  const size_t bytes = (size_t)depth * (size_t)columns * sizeof *now;
  const long turn = exchanges++;
  /* My first rows lie below the PE above me. Two turns: nobody sends the next but one before this one has been read. */
  shnode_putmem_flag(halo_in(turn, 1), row(now, 0), bytes, &in->from_below, exchanges, above);
  shnode_putmem_flag(halo_in(turn, 0), row(now, ROWS - depth), bytes, &in->from_above, exchanges, below);
  shmem_long_wait_until(&in->from_above, SHMEM_CMP_GE, exchanges);
  memcpy(row(now, -depth), halo_in(turn, 0), bytes);
  shmem_long_wait_until(&in->from_below, SHMEM_CMP_GE, exchanges);
  memcpy(row(now, ROWS), halo_in(turn, 1), bytes);
}

static void compute_row(double* out, const double* up, const double* here, const double* down) {
  for (int j = 1; j < columns - 1; j++)
    out[j] = 0.5 * here[j] + 0.125 * (up[j] + down[j] + here[j - 1] + here[j + 1]);
}

/* One step of the rows first to last - 1, whose neighbours are all known. */
static void compute(int first, int last) {
  for (int i = first; i < last; i++) compute_row(row(next, i), row(now, i - 1), row(now, i), row(now, i + 1));
  double* swap = now;
  now = next, next = swap;
}

/* Rows are numbered around the ring. */
static void start_row(double* out, int number) {
  for (int j = 0; j < columns; j++) out[j] = (double)(((long)number * 37 + (long)j * 11) % 101);
}

static void start_plate(void) {
  for (int i = -DEPTH; i < ROWS + DEPTH; i++) {
    const int number = (me * ROWS + i + n * ROWS) % (n * ROWS);
    start_row(row(now, i), number);
    start_row(row(next, i), number);
  }
}

/* Milliseconds of all steps. After an exchange of `depth` rows, each step knows one row less of them. */
static double run(int depth) {
  start_plate();
  shnode_barrier_all();
  const double begin = now_ms();
  for (int step = 0; step < steps; step += depth) {
    exchange_halos(depth);
    for (int left = depth - 1; left >= 0; left--) compute(-left, ROWS + left);
  }
  return now_ms() - begin;
}

static int ascending(const void* a, const void* b) {
  return (*(const double*)a > *(const double*)b) - (*(const double*)a < *(const double*)b);
}

static void report(int depth, double* ms, const double* of_one) {
  double gain[REPEATS];
  for (int i = 0; i < REPEATS; i++) gain[i] = of_one[i] / ms[i];
  qsort(gain, REPEATS, sizeof *gain, ascending);
  qsort(ms, REPEATS, sizeof *ms, ascending);
  printf("stencil.depth_%d\t%zu\t%.3f\tms\n", depth, (size_t)columns * sizeof *now, ms[REPEATS / 2]);
  if (depth > 1)
    printf("stencil.depth_%d.gain\t%zu\t%.3f\ttimes\n", depth, (size_t)columns * sizeof *now,
           gain[REPEATS / 2]);
}

/* All depths must end in the bits of halos of one row. The depths take turns. */
static int compare_depths(void) {
  enum { DEPTHS = 4 };
  static double ms[DEPTHS][REPEATS];
  const size_t bytes = ROWS * (size_t)columns * sizeof *now;
  double *expected = take(bytes), of_one[REPEATS];
  int right = 1;
  for (int repeat = 0; repeat < REPEATS; repeat++)
    for (int power = 0; power < DEPTHS; power++) {
      ms[power][repeat] = run(1 << power);
      if (power == 0) memcpy(expected, row(now, 0), bytes);
      right = !memcmp(expected, row(now, 0), bytes) && right;
    }
  memcpy(of_one, ms[0], sizeof of_one);
  for (int power = 0; power < DEPTHS && me == 0; power++) report(1 << power, ms[power], of_one);
  free(expected);
  return right;
}

/* The whole ring by a plain loop, of which each PE compares its rows. */
static int equals_plain_loop(void) {
  const int rows = n * ROWS;
  const size_t length = (size_t)columns;
  double *from = take((size_t)rows * length * sizeof *from), *to = take((size_t)rows * length * sizeof *to);
  for (int i = 0; i < rows; i++) {
    start_row(from + (size_t)i * length, i);
    start_row(to + (size_t)i * length, i);
  }
  for (int step = 0; step < steps; step++) {
    for (int i = 0; i < rows; i++)
      compute_row(to + (size_t)i * length, from + (size_t)((i + rows - 1) % rows) * length,
                  from + (size_t)i * length, from + (size_t)((i + 1) % rows) * length);
    double* swap = from;
    from = to, to = swap;
  }
  const int same = !memcmp(from + (size_t)(me * ROWS) * length, row(now, 0), ROWS * length * sizeof *now);
  free(from);
  free(to);
  return same;
}

static void prepare(void) {
  const size_t plate = (size_t)(ROWS + 2 * DEPTH) * (size_t)columns * sizeof *now;
  now = take(plate), next = take(plate);
  in = shmem_malloc(sizeof *in + 4 * DEPTH * (size_t)columns * sizeof *now);
  in->from_above = in->from_below = 0;
  int status = shnode_init();
  if (!status) status = shnode_create_team(in);
  if (status) {
    fprintf(stderr, "PE %d: %s\n", me, shnode_strerror(status));
    shmem_global_exit(1);
  }
}

int main(int argc, char** argv) {
  const int small = argc > 1 && !strcmp(argv[1], "--small");
  shmem_init();
  me = shmem_my_pe(), n = shmem_n_pes();
  columns = small ? 50 : 1000, steps = small ? 16 : 400;
  prepare();
  const int right = compare_depths() && equals_plain_loop();
  shnode_barrier_all(); /* nobody ends while others still send to it */
  if (!right) fprintf(stderr, "PE %d: the plate is wrong\n", me);
  if (right && me == 0)
    printf("the plate after %d steps is right: halos of 1 to %d rows give the same bits\n", steps, DEPTH);
  shnode_finalize();
  shmem_free(in);
  free(now);
  free(next);
  shmem_finalize();
  return !right;
}
