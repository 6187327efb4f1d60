/* Intel's sample: the ring of arrays on MPI's own windows of shared memory, without node windows, so that both can be
 * compared. Its synchronisation is the article's: MPI_Win_sync and a barrier in each round.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * usage: ring_bare --elements N --rounds N */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double* part_of(MPI_Win win, int rank) {
  MPI_Aint bytes;
  int unit;
  double* part;
  MPI_Win_shared_query(win, rank, &bytes, &unit, &part);
  return part;
}

/* Two arrays in the part of each rank: what is overwritten now has been read by all before the last barrier. */
static double run(MPI_Comm node, MPI_Win win, size_t elements, int rounds) {
  int rank, ranks;
  MPI_Comm_rank(node, &rank);
  MPI_Comm_size(node, &ranks);
  double* own = part_of(win, rank);
  const double *previous = part_of(win, (rank + ranks - 1) % ranks), *next = part_of(win, (rank + 1) % ranks);
  for (size_t at = 0; at < 2 * elements; at++) own[at] = (double)((at * 7 + (size_t)rank * 131) % 1000);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
  MPI_Win_sync(win);
  MPI_Barrier(node);
  const double begin = MPI_Wtime();
  for (int round = 0; round < rounds; round++) {
    const size_t from = (size_t)(round % 2) * elements, to = elements - from;
#pragma omp parallel for schedule(static)
    for (size_t at = 0; at < elements; at++)
      own[to + at] = 0.5 * own[from + at] + 0.25 * previous[from + at] + 0.25 * next[from + at];
    MPI_Win_sync(win);
    MPI_Barrier(node);
    MPI_Win_sync(win);
  }
  const double seconds = MPI_Wtime() - begin;
  MPI_Win_unlock_all(win);
  return seconds;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const size_t elements = argc == 5 ? strtoul(argv[2], NULL, 10) : 0;
  const int rounds = argc == 5 ? atoi(argv[4]) : 0;
  if (elements == 0 || rounds <= 0) {
    fprintf(stderr, "usage: ring_bare --elements N --rounds N\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  MPI_Comm node;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "alloc_shared_noncontig", "true");
  double* mine;
  MPI_Win win;
  MPI_Win_allocate_shared((MPI_Aint)(2 * elements * sizeof(double)), sizeof(double), info, node, &mine, &win);
  const double seconds = run(node, win, elements, rounds);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) printf("bare: %zu elements, %.6f s\n", elements, seconds);
  MPI_Win_free(&win);
  MPI_Info_free(&info);
  MPI_Comm_free(&node);
  MPI_Finalize();
  return 0;
}
