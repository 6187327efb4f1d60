/* FFTW's own parallel transforms and transposes, compared with what one process computes.
 * SPDX-License-Identifier: BSD-3-Clause
 * FFTW_MEASURE lets FFTW try all its ways to transpose; MPI_Alltoall and MPI_Alltoallv are among them when
 * the result goes elsewhere. */
#include <complex.h>
#include <fftw3-mpi.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, wrong;

static double complex value(ptrdiff_t i, ptrdiff_t j, ptrdiff_t k) {
  return sin(1.0 + i + 0.3 * j) + I * cos(0.7 * k - j);
}

static void complain(const char* what, ptrdiff_t n0, ptrdiff_t n1) {
  printf("rank %d: wrong: %s of %td x %td\n", rank, what, n0, n1);
  wrong = 1;
}

/* n0 x n1 numbers, rows spread over the ranks, become n1 x n0. */
static void check_transpose(ptrdiff_t n0, ptrdiff_t n1) {
  ptrdiff_t rows, first_row, columns, first_column;
  const ptrdiff_t room =
      fftw_mpi_local_size_2d_transposed(n0, n1, MPI_COMM_WORLD, &rows, &first_row, &columns, &first_column);
  double *numbers = fftw_alloc_real(2 * room), *result = fftw_alloc_real(2 * room);
  fftw_plan plan =
      fftw_mpi_plan_transpose(n0, n1, numbers, result, MPI_COMM_WORLD, FFTW_MEASURE | FFTW_DESTROY_INPUT);
  for (ptrdiff_t i = 0; i < rows; i++)
    for (ptrdiff_t j = 0; j < n1; j++) numbers[i * n1 + j] = 1000.0 * (first_row + i) + j;
  fftw_execute(plan);
  for (ptrdiff_t j = 0; j < columns; j++)
    for (ptrdiff_t i = 0; i < n0; i++)
      if (result[j * n0 + i] != 1000.0 * i + first_column + j) return complain("transpose", n0, n1);
  fftw_destroy_plan(plan);
  fftw_free(numbers);
  fftw_free(result);
}

static double complex* transform_serially(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t n2) {
  double complex* all = fftw_malloc(sizeof *all * n0 * n1 * n2);
  fftw_plan plan = fftw_plan_dft_3d(n0, n1, n2, all, all, FFTW_FORWARD, FFTW_ESTIMATE);
  for (ptrdiff_t i = 0; i < n0 * n1 * n2; i++) all[i] = value(i / (n1 * n2), i / n2 % n1, i % n2);
  fftw_execute(plan);
  fftw_destroy_plan(plan);
  return all;
}

static void check_transform(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t n2) {
  ptrdiff_t planes, first;
  const ptrdiff_t room = fftw_mpi_local_size_3d(n0, n1, n2, MPI_COMM_WORLD, &planes, &first);
  double complex *mine = fftw_malloc(sizeof *mine * room), *result = fftw_malloc(sizeof *mine * room);
  double complex* serial = transform_serially(n0, n1, n2);
  fftw_plan plan = fftw_mpi_plan_dft_3d(n0, n1, n2, mine, result, MPI_COMM_WORLD, FFTW_FORWARD,
                                        FFTW_MEASURE | FFTW_DESTROY_INPUT);
  for (ptrdiff_t i = 0; i < planes * n1 * n2; i++)
    mine[i] = value(first + i / (n1 * n2), i / n2 % n1, i % n2);
  fftw_execute(plan);
  for (ptrdiff_t i = 0; i < planes * n1 * n2; i++)
    if (!(cabs(result[i] - serial[first * n1 * n2 + i]) < 1e-9)) {
      complain("transform", n0, n1);
      break;
    }
  fftw_destroy_plan(plan);
  fftw_free(mine);
  fftw_free(result);
  fftw_free(serial);
}

int main(int argc, char** argv) {
  int all_wrong;
  MPI_Init(&argc, &argv);
  fftw_mpi_init();
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  check_transpose(8, 12);
  check_transpose(7, 5);
  check_transpose(60, 64);
  check_transform(12, 8, 6);
  check_transform(9, 10, 7);
  MPI_Allreduce(&wrong, &all_wrong, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0 && !all_wrong) puts("FFTW's transposes and transforms are right");
  fftw_mpi_cleanup();
  MPI_Finalize();
  return all_wrong;
}
