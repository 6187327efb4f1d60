/* Five-point stencil on a grid whose rows lie on all PEs, in blocks; each step sends the border rows to the
 * neighbours.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * As in the Parallel Research Kernels, the weights take the derivative of a plane that rises by one
 * everywhere in each step, so that the result is known and a border row that came late or never is found out.
 * `small` is a grid of few cells, where communication dominates. The roofline makes the same steps on a grid
 * of one's own, without sending. */
#include "kernel.h"

enum { most_columns = 1024, most_rows = 1024 };

static double *in, *out; /* rows of this PE, with a row of the neighbour above and below in `in` */
static double*
    borders[2][2]; /* from above, from below; for even and odd steps: a neighbour may be one step ahead */
static uint64_t arrived[2];         /* the last step whose border has come from above, from below */
static uint64_t step;               /* counts through all rounds */
static size_t rows, columns, steps; /* steps: of a round */

static double* row_of(double* grid, size_t row) { return grid + row * columns; }

static void fill(void) {
  for (size_t r = 0; r < rows + 2; r++)
    for (size_t c = 0; c < columns; c++) row_of(in, r)[c] = (double)(r + rows * (size_t)bench.me) + (double)c;
  memset(out, 0, (rows + 2) * columns * sizeof *out);
}

/* The row goes to the neighbour's border on side `side`, and then the word that it is there. */
static void send_border(const double* row, int side, int pe) {
  double* border = borders[side][step % 2];
#if SINCE(1, 5)
  /* The wait for `>= step` may be ended by the next step's signal, which says nothing of this step's row
   * (9.8.3) unless a fence orders the rows. */
  shmem_fence();
  shmem_putmem_signal(border, row, columns * sizeof *row, &arrived[side], step, SHMEM_SIGNAL_SET, pe);
#else
  shmem_putmem(border, row, columns * sizeof *row, pe);
  shmem_fence();
  shmem_uint64_p(&arrived[side], step, pe);
#endif
}

static void receive_border(double* row, int side) {
  shmem_uint64_wait_until(&arrived[side], SHMEM_CMP_GE, step);
  memcpy(row, borders[side][step % 2], columns * sizeof *row);
}

static void exchange_borders(void) {
  const int above = bench.me - 1, below_me = bench.me + 1;
  if (above >= 0) send_border(row_of(in, 1), 1, above);
  if (below_me < bench.pes) send_border(row_of(in, rows), 0, below_me);
  if (above >= 0) receive_border(row_of(in, 0), 0);
  if (below_me < bench.pes) receive_border(row_of(in, rows + 1), 1);
}

/* Rows without a neighbour above or below are left out, as the first and last column are. */
static void apply_stencil(void) {
  const size_t first = bench.me == 0 ? 2 : 1, last = bench.me == bench.pes - 1 ? rows - 1 : rows;
  for (size_t r = first; r <= last; r++) {
    const double *up = row_of(in, r - 1), *here = row_of(in, r), *down = row_of(in, r + 1);
    double* result = row_of(out, r);
    for (size_t c = 1; c < columns - 1; c++)
      result[c] += 0.5 * (down[c] - up[c]) + 0.5 * (here[c + 1] - here[c - 1]);
  }
  for (double* value = row_of(in, 1); value < row_of(in, rows + 1); value++) *value += 1;
}

static void march(const struct measure* m, long calls) {
  (void)m, (void)calls;
  for (size_t i = 0; i < steps; i++) {
    step++;
    exchange_borders();
    apply_stencil();
  }
  shmem_barrier_all();
}

static void march_alone(const struct measure* m, long calls) {
  (void)m, (void)calls;
  for (size_t i = 0; i < steps; i++) apply_stencil();
  shmem_barrier_all();
}

/* Each step adds 2 to every inner point: the derivative of the plane along both axes. */
static int right_after(uint64_t marched) {
  const size_t first = bench.me == 0 ? 2 : 1, last = bench.me == bench.pes - 1 ? rows - 1 : rows;
  for (size_t r = first; r <= last; r++)
    for (size_t c = 1; c < columns - 1; c++)
      if (row_of(out, r)[c] != 2.0 * (double)marched) return 0;
  return 1;
}

static int measure_grid(const char* name, size_t grid_rows, size_t grid_columns) {
  char roofline[64];
  snprintf(roofline, sizeof roofline, "%s.roofline", name);
  rows = grid_rows;
  columns = grid_columns;
  steps = (1 << 20) / (rows * columns) + 1;
  fill();
  const uint64_t before = step;
  measure_kernel(name, march, (double)(steps * rows * columns));
  const int right = right_after(step - before);
  measure_kernel(roofline, march_alone, (double)(steps * rows * columns));
  return right;
}

int main(int argc, char** argv) {
  bench_begin(argc, argv, 1);
  world_begin(1);
  in = private_memory((most_rows + 2) * most_columns * sizeof(double));
  out = private_memory((most_rows + 2) * most_columns * sizeof(double));
  for (int i = 0; i < 4; i++) borders[i / 2][i % 2] = bench_allocate(most_columns * sizeof(double));
  int right = measure_grid("stencil.small", 8, 32);
  right &= measure_grid("stencil.large", (int)kernel_size(most_rows, 128, 128), most_columns);
  return kernel_end(right, "stencil: the derivative is wrong");
}
