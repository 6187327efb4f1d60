/* CPU time of what the race check makes dearer: what bench/race_costs.py compiles with and without -fatrium-race.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * One line per row: name, nanoseconds of CPU time of PE 0 for each element, point or call; the best of nine rounds. */
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { elements = 1 << 14, side = 256, points = (side - 2) * (side - 2), large = 1 << 20, rounds = 9 };

static long *indices, *numbers, *symmetric_numbers, *word;
static double *grid[2], *symmetric_grid[2];
static char *large_source, *large_target;
static volatile long sink;
static int other;

static double cpu_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void gather(void) {
  long sum = 0;
  for (size_t i = 0; i < elements; i++) sum += numbers[indices[i]];
  sink = sum;
}
static void sweep_over(long* where) {
  for (size_t i = 0; i < elements; i++) where[i] += 3;
  sink = where[elements - 1];
}
static void sweep(void) { sweep_over(numbers); }
static void symmetric_sweep(void) { sweep_over(symmetric_numbers); }
static void symmetric_sweep_behind_sync(void) {
  shmem_sync_all();
  sweep_over(symmetric_numbers);
}
static void stencil_on(double* const grids[2]) {
  const double* in = grids[0];
  double* out = grids[1];
  for (size_t r = 1; r < side - 1; r++)
    for (size_t c = 1; c < side - 1; c++)
      out[r * side + c] += 0.25 * (in[(r - 1) * side + c] + in[(r + 1) * side + c] + in[r * side + c - 1] +
                                   in[r * side + c + 1]);
}
static void stencil(void) { stencil_on(grid); }
static void symmetric_stencil(void) { stencil_on(symmetric_grid); }
static void symmetric_stencil_behind_sync(void) {
  shmem_sync_all();
  stencil_on(symmetric_grid);
}
static void put_large(void) {
  shmem_putmem(large_target, large_source, large, other);
  shmem_quiet();
}
static void barrier(void) { shmem_barrier_all(); }
static void atomic_add(void) { shmem_long_atomic_add(word, 1, other); }
static void p_and_fence(void) {
  shmem_long_p(word + 8 + shmem_my_pe(), 1, other);
  shmem_fence();
}

static const struct row {
  const char* name;
  void (*run)(void);
  long calls, of_each; /* calls a round; elements of each call */
} rows[] = {{"private gather, an element", gather, 100, elements},
            {"private sweep, an element", sweep, 100, elements},
            {"private five-point stencil, a point", stencil, 30, points},
            {"symmetric sweep, an element", symmetric_sweep, 100, elements},
            {"symmetric sweep behind a sync each, an element", symmetric_sweep_behind_sync, 30, elements},
            {"symmetric five-point stencil, a point", symmetric_stencil, 30, points},
            {"the same behind a sync each", symmetric_stencil_behind_sync, 30, points},
            {"put of 1 MiB and quiet", put_large, 30, 1},
            {"barrier of 2 PEs", barrier, 5000, 1},
            {"atomic add", atomic_add, 20000, 1},
            {"`p` and fence", p_and_fence, 20000, 1}};

static double best_of(const struct row* row) {
  double best = 1e30;
  for (int round = 0; round < rounds; round++) {
    shmem_barrier_all();
    const double begin = cpu_ns();
    for (long i = 0; i < row->calls; i++) row->run();
    const double took = (cpu_ns() - begin) / (double)(row->calls * row->of_each);
    if (took < best) best = took;
  }
  return best;
}

static void set_up(void) {
  indices = malloc(elements * sizeof *indices);
  numbers = calloc(elements, sizeof *numbers);
  for (size_t i = 0; i < elements; i++) indices[i] = (long)(i * 7919 % elements);
  symmetric_numbers = shmem_calloc(elements, sizeof *symmetric_numbers);
  for (int i = 0; i < 2; i++) {
    grid[i] = calloc((size_t)side * side, sizeof(double));
    symmetric_grid[i] = shmem_calloc((size_t)side * side, sizeof(double));
  }
  large_source = malloc(large);
  memset(large_source, 1, large);
  large_target = shmem_malloc(large);
  word = shmem_calloc(64, sizeof *word);
}

int main(void) {
  shmem_init();
  other = (shmem_my_pe() + 1) % shmem_n_pes();
  set_up();
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const double best = best_of(&rows[i]);
    if (shmem_my_pe() == 0) printf("%s\t%.3f\n", rows[i].name, best);
  }
  shmem_finalize();
  return 0;
}
