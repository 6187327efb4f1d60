/* A three-dimensional Fourier transform on pencils: x, then y, then z, and back, with FFTW for the lines.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     mpicc -O2 main.c pencils.c transpose.c -lfftw3 -lm -o pencil_fft
 *     atrium-mpi mpirun -n 4 ./pencil_fft [N1 N2 N3 [ROWS COLUMNS [ROUNDS]]]
 *
 * Checks itself against a serial transform, then counts transpositions per second by MPI_Alltoallv and, in
 * the same run and turn by turn, by PMPI_Alltoallv, which no library intercepts. Five times as many ROUNDS go before,
 * in which the library chooses. Says: it agrees with the serial transform */
#include <fftw3.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "pencils.h"

enum { round_trip = 4, max_rounds = 1000 };
static int rank, ranks;
static struct Grid grid;
static struct Pencil pencils[axes];
static struct Parcels *forth[axes - 1],
    *back[axes - 1]; /* from an axis to the next one; from the next one to it */

/* The value at a point: any function without symmetry will do. */
static Number value(int x, int y, int z) {
  return sin(1.0 + x + 0.3 * y * y) + I * cos(0.7 * z + x * 0.11 - y);
}

static void transform_lines(struct Pencil* pencil, enum Axis axis, int sign) {
  const int length = grid.extent[axis];
  const int lines = (int)(volume(&pencil->box) / length);
  if (lines == 0) return;
  fftw_plan plan = fftw_plan_many_dft(1, &length, lines, (fftw_complex*)pencil->data, NULL, 1, length,
                                      (fftw_complex*)pencil->data, NULL, 1, length, sign, FFTW_ESTIMATE);
  fftw_execute(plan);
  fftw_destroy_plan(plan);
}

static Number* at(const struct Pencil* pencil, int x, int y, int z) {
  return pencil->data + (x - pencil->box.start[axis_x]) * pencil->stride[axis_x] +
         (y - pencil->box.start[axis_y]) * pencil->stride[axis_y] +
         (z - pencil->box.start[axis_z]) * pencil->stride[axis_z];
}

/* The whole array, x fastest, as one process would transform it. */
static Number* transform_serially(void) {
  const int* n = grid.extent;
  Number* all = malloc(sizeof(Number) * n[0] * n[1] * n[2]);
  if (!all) MPI_Abort(MPI_COMM_WORLD, 1);
  fftw_plan plan =
      fftw_plan_dft_3d(n[2], n[1], n[0], (fftw_complex*)all, (fftw_complex*)all, FFTW_FORWARD, FFTW_ESTIMATE);
  for (int z = 0; z < n[2]; z++)
    for (int y = 0; y < n[1]; y++)
      for (int x = 0; x < n[0]; x++) all[((size_t)z * n[1] + y) * n[0] + x] = value(x, y, z);
  fftw_execute(plan);
  fftw_destroy_plan(plan);
  return all;
}

static void fill(struct Pencil* pencil) {
  for (int z = pencil->box.start[axis_z]; z < pencil->box.end[axis_z]; z++)
    for (int y = pencil->box.start[axis_y]; y < pencil->box.end[axis_y]; y++)
      for (int x = pencil->box.start[axis_x]; x < pencil->box.end[axis_x]; x++)
        *at(pencil, x, y, z) = value(x, y, z);
}

/* The largest distance on any rank between a pencil and an array (x fastest), or, without one, value(). */
static double largest_error(const struct Pencil* pencil, const Number* all, double scale) {
  const int* n = grid.extent;
  double mine = 0, largest;
  for (int z = pencil->box.start[axis_z]; z < pencil->box.end[axis_z]; z++)
    for (int y = pencil->box.start[axis_y]; y < pencil->box.end[axis_y]; y++)
      for (int x = pencil->box.start[axis_x]; x < pencil->box.end[axis_x]; x++) {
        const Number wanted = all ? all[((size_t)z * n[1] + y) * n[0] + x] : value(x, y, z);
        mine = fmax(mine, cabs(*at(pencil, x, y, z) * scale - wanted));
      }
  MPI_Allreduce(&mine, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return largest;
}

/* Forward and back; the results must be the serial transform and what was there before. */
static int check(void) {
  const double points = (double)grid.extent[0] * grid.extent[1] * grid.extent[2];
  Number* serial = transform_serially();
  fill(&pencils[axis_x]);
  for (enum Axis axis = axis_x; axis < axes; axis++) {
    if (axis > axis_x) transpose(forth[axis - 1], &pencils[axis - 1], &pencils[axis], MPI_Alltoallv);
    transform_lines(&pencils[axis], axis, FFTW_FORWARD);
  }
  const double forward = largest_error(&pencils[axis_z], serial, 1) / sqrt(points);
  for (int axis = axis_z; axis >= axis_x; axis--) {
    transform_lines(&pencils[axis], axis, FFTW_BACKWARD);
    if (axis > axis_x) transpose(back[axis - 1], &pencils[axis], &pencils[axis - 1], MPI_Alltoallv);
  }
  const double there_and_back = largest_error(&pencils[axis_x], NULL, 1 / points);
  free(serial);
  const int good = forward < 1e-12 && there_and_back < 1e-12;
  if (rank == 0)
    printf(
        "%d x %d x %d on %d x %d ranks: it %s the serial transform (largest error %.1e forward, %.1e there "
        "and back)\n",
        grid.extent[0], grid.extent[1], grid.extent[2], grid.rows, grid.columns,
        good ? "agrees with" : "DIFFERS from", forward, there_and_back);
  return good;
}

/* x to y to z to y to x: four transpositions; the slowest rank's seconds. */
static double time_round_trip(Exchange* exchange) {
  double seconds, slowest;
  PMPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  transpose(forth[axis_x], &pencils[axis_x], &pencils[axis_y], exchange);
  transpose(forth[axis_y], &pencils[axis_y], &pencils[axis_z], exchange);
  transpose(back[axis_y], &pencils[axis_z], &pencils[axis_y], exchange);
  transpose(back[axis_x], &pencils[axis_y], &pencils[axis_x], exchange);
  seconds = MPI_Wtime() - begin;
  PMPI_Allreduce(&seconds, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return slowest;
}

static int ascending(const void* a, const void* b) {
  const double left = *(const double*)a, right = *(const double*)b;
  return (left > right) - (left < right);
}

static double median(double* values, int count) {
  qsort(values, count, sizeof *values, ascending);
  return values[count / 2];
}

static void compare_speed(int rounds) {
  double with[max_rounds], without[max_rounds];
  /* A round is two calls on each communicator. The library leaves the first 68 to the MPI, and chooses by the next 18 to 96. */
  for (int round = 0; round < 5 * rounds; round++) time_round_trip(MPI_Alltoallv);
  for (int round = 0; round < rounds; round++) {
    with[round] = time_round_trip(MPI_Alltoallv);
    without[round] = time_round_trip(PMPI_Alltoallv);
  }
  const double ours = median(with, rounds), plain = median(without, rounds);
  if (rank == 0)
    printf("transposes per second: %.0f by MPI_Alltoallv, %.0f by PMPI_Alltoallv (%.2f times as many)\n",
           round_trip / ours, round_trip / plain, plain / ours);
}

/* A positive number from the command line, or the default. */
static int argument(int argc, char** argv, int index, int otherwise) {
  const int number = argc > index ? atoi(argv[index]) : otherwise;
  if (number < 1) {
    if (rank == 0)
      fprintf(stderr, "usage: pencil_fft [N1 N2 N3 [ROWS COLUMNS [ROUNDS]]], all of them positive\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  return number;
}

static void build(const int* extent, int rows, int columns) {
  grid = make_grid(extent, rows, columns);
  for (int axis = 0; axis < axes; axis++) pencils[axis] = make_pencil(&grid, axis);
  for (int axis = 0; axis < axes - 1; axis++) {
    forth[axis] = plan_transpose(&grid, axis, axis + 1);
    back[axis] = plan_transpose(&grid, axis + 1, axis);
  }
}

static void destroy(void) {
  for (int axis = 0; axis < axes - 1; axis++) {
    free_plan(forth[axis]);
    free_plan(back[axis]);
  }
  for (int axis = 0; axis < axes; axis++) free(pencils[axis].data);
  free_grid(&grid);
}

int main(int argc, char** argv) {
  int sides[2] = {0, 0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int extent[axes] = {argument(argc, argv, 1, 32), argument(argc, argv, 2, 24),
                            argument(argc, argv, 3, 20)};
  MPI_Dims_create(ranks, 2, sides);
  const int rows = argument(argc, argv, 4, sides[0]), columns = argument(argc, argv, 5, sides[1]);
  const int rounds = argument(argc, argv, 6, 20);
  if (rows * columns != ranks || rounds > max_rounds) argument(2, (char*[]){"", "0"}, 1, 0);
  build(extent, rows, columns);
  const int good = check();
  compare_speed(rounds);
  destroy();
  MPI_Finalize();
  return !good;
}
