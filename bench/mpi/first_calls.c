/* Times new communicators, with Atrium's library and without it, in one run, turn by turn: what an application pays that makes one, uses
 * it a few times and frees it.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * usage: first_calls ROUNDS allreduce|sum|bcast|barrier|alltoallv BYTES [RANKS...]
 * The communicators have the first RANKS ranks of the job, or all, and the others wait. In each round one is made and freed for each
 * way. Rank 0 prints a line for each of RANKS and for communicators of 1, 2, 5, 20 and 100 calls:
 *   ranks  calls  microseconds of PMPI_...  of MPI_...  how many times faster
 * Times are medians over the rounds, on the slowest rank, from the creation of the communicator to its end. */
#include "routines.h"

enum { max_rounds = 1000, lengths = 5 };
static const int calls_of[lengths] = {1, 2, 5, 20, 100};

/* The slowest rank's microseconds for a communicator that is made, used so often and freed. `all`: those of its ranks. */
static double time_communicator(Call* call, int bytes, int calls, MPI_Comm all) {
  MPI_Comm comm;
  double mine, slowest;
  PMPI_Barrier(all);
  const double begin = MPI_Wtime();
  PMPI_Comm_dup(all, &comm);
  for (int each = 0; each < calls; each++) call(bytes, comm);
  MPI_Comm_free(&comm);
  mine = (MPI_Wtime() - begin) * 1e6;
  PMPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, all);
  return slowest;
}

static void measure_length(const struct MpiRoutine* routine, int bytes, int calls, int rounds, MPI_Comm all) {
  double mpi[max_rounds], ours[max_rounds];
  int rank, ranks;
  PMPI_Comm_rank(all, &rank), PMPI_Comm_size(all, &ranks);
  for (int round = 0; round < rounds; round++) {
    mpi[round] = time_communicator(routine->mpi, bytes, calls, all);
    ours[round] = time_communicator(routine->ours, bytes, calls, all);
  }
  const double alone = median(mpi, rounds), with = median(ours, rounds);
  if (rank == 0) printf("%d\t%d\t%.1f\t%.1f\t%.2f\n", ranks, calls, alone, with, alone / with);
  fflush(stdout);
}

static void measure(const struct MpiRoutine* routine, int bytes, int ranks, int rounds, int rank) {
  MPI_Comm all;
  PMPI_Comm_split(MPI_COMM_WORLD, rank < ranks ? 0 : MPI_UNDEFINED, rank, &all);
  for (int each = 0; all != MPI_COMM_NULL && each < lengths; each++)
    measure_length(routine, bytes, calls_of[each], rounds, all);
  if (all != MPI_COMM_NULL) PMPI_Comm_free(&all);
  PMPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int rounds = argc > 3 ? atoi(argv[1]) : 0, bytes = argc > 3 ? atoi(argv[3]) : 0;
  const struct MpiRoutine* routine = argc > 3 ? find_routine(argv[2]) : NULL;
  if (rounds < 1 || rounds > max_rounds || bytes < 8 || !routine) {
    if (rank == 0)
      fprintf(stderr, "usage: first_calls ROUNDS allreduce|sum|bcast|barrier|alltoallv BYTES [RANKS...]\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  reserve(size, bytes);
  MPI_Barrier(MPI_COMM_WORLD); /* as programs begin */
  if (argc == 4) measure(routine, bytes, size, rounds, rank);
  for (int i = 4; i < argc; i++)
    measure(routine, bytes, atoi(argv[i]) < size ? atoi(argv[i]) : size, rounds, rank);
  release();
  MPI_Finalize();
}
