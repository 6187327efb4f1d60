// What the tests of node windows share: a check that says where and on which rank it failed.
// SPDX-License-Identifier: BSD-3-Clause
#ifndef TESTS_MPI_WINDOW_EXPECT_H
#define TESTS_MPI_WINDOW_EXPECT_H

#include <mpi.h>
#include <stdio.h>

static int failures;

static inline int world_rank(void) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

#define EXPECT(condition)                                                                     \
  do {                                                                                        \
    if (!(condition)) {                                                                       \
      failures++;                                                                             \
      printf("%s:%d: rank %d: not true: %s\n", __FILE__, __LINE__, world_rank(), #condition); \
    }                                                                                         \
  } while (0)

// Ends MPI; the exit status of every rank says whether any rank failed.
static inline int finish(void) {
  fflush(stdout);
  MPI_Allreduce(MPI_IN_PLACE, &failures, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return failures != 0;
}

#endif
