/* Times MPI_Allreduce, MPI_Bcast, MPI_Barrier or a persistent MPI_Alltoall with Atrium's library and without it, in one run, turn by turn.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * usage: collectives ROUNDS allreduce|sum|bcast|barrier|alltoallv|persistent BYTES...     allreduce: of integers; sum: of doubles; persistent: bytes
 *        of a pair, start and wait of one request
 * Rank 0 prints a line for each number of bytes:
 *   bytes  microseconds of PMPI_...  of MPI_...  how many times faster
 * Times are medians over the rounds of the slowest rank's mean over a round's calls. */
#include <mpi.h>
#if defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION < 5
#include <mpi-ext.h>
#define MPI_Alltoall_init MPIX_Alltoall_init
#define PMPI_Alltoall_init PMPIX_Alltoall_init
#endif

#include "routines.h"

enum { max_rounds = 1000, calls_of_choice = 200, fewest_calls = 8, most_calls = 4000 };
static const double round_seconds = 0.02;

static MPI_Request mpi_request, our_request;
static void init_persistent(int bytes) {
  PMPI_Alltoall_init(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, MPI_COMM_WORLD, MPI_INFO_NULL, &mpi_request);
  MPI_Alltoall_init(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, MPI_COMM_WORLD, MPI_INFO_NULL, &our_request);
}
static void free_persistent(void) { PMPI_Request_free(&mpi_request), MPI_Request_free(&our_request); }
static void mpi_persistent(int bytes, MPI_Comm comm) {
  (void)bytes, (void)comm, PMPI_Start(&mpi_request), PMPI_Wait(&mpi_request, MPI_STATUS_IGNORE);
}
static void our_persistent(int bytes, MPI_Comm comm) {
  (void)bytes, (void)comm, MPI_Start(&our_request), MPI_Wait(&our_request, MPI_STATUS_IGNORE);
}
static const struct MpiRoutine persistent = {"persistent", mpi_persistent, our_persistent};

/* The slowest rank's microseconds for a call. */
static double time_calls(Call* call, int bytes, int calls) {
  double mine, slowest;
  PMPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  for (int each = 0; each < calls; each++) call(bytes, MPI_COMM_WORLD);
  mine = (MPI_Wtime() - begin) / calls * 1e6;
  PMPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return slowest;
}

static void measure(const struct MpiRoutine* routine, int bytes, int rounds, int rank) {
  double mpi[max_rounds], ours[max_rounds];
  if (routine == &persistent) init_persistent(bytes);
  time_calls(routine->ours, bytes, calls_of_choice);
  const double wanted = round_seconds * 1e6 / (time_calls(routine->mpi, bytes, 3) + 1e-3);
  int calls = wanted < fewest_calls ? fewest_calls : wanted > most_calls ? most_calls : (int)wanted;
  PMPI_Bcast(&calls, 1, MPI_INT, 0, MPI_COMM_WORLD);
  for (int round = 0; round < rounds; round++) {
    mpi[round] = time_calls(routine->mpi, bytes, calls);
    ours[round] = time_calls(routine->ours, bytes, calls);
  }
  if (routine == &persistent) free_persistent();
  const double alone = median(mpi, rounds), with = median(ours, rounds);
  if (rank == 0) printf("%d\t%.2f\t%.2f\t%.2f\n", bytes, alone, with, alone / with);
  fflush(stdout);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, most = 8;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int rounds = argc > 3 ? atoi(argv[1]) : 0;
  const struct MpiRoutine* routine = argc > 3 ? find_routine(argv[2]) : NULL;
  if (argc > 3 && !strcmp(argv[2], persistent.name)) routine = &persistent;
  if (rounds < 1 || rounds > max_rounds || !routine) {
    if (rank == 0)
      fprintf(stderr,
              "usage: collectives ROUNDS allreduce|sum|bcast|barrier|alltoallv|persistent BYTES...\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  for (int i = 3; i < argc; i++) most = atoi(argv[i]) > most ? atoi(argv[i]) : most;
  reserve(size, most);
  for (int i = 3; i < argc; i++) measure(routine, atoi(argv[i]), rounds, rank);
  release();
  MPI_Finalize();
}
