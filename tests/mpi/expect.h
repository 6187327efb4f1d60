// Counts and prints what does not hold.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>
#include <stdio.h>

static int failures;

static void expect(int holds, const char* sentence) {
  int rank;
  if (holds) return;
  failures++;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  printf("rank %d: not so: %s\n", rank, sentence), fflush(stdout);
}
