/* Times MPI_Allreduce, MPI_Bcast, MPI_Barrier or a persistent MPI_Alltoall with Atrium's library and without it, in one run, turn by turn.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * usage: collectives ROUNDS allreduce|sum|bcast|barrier|persistent BYTES...     allreduce: of integers; sum: of doubles; persistent: bytes
 *        of a pair, start and wait of one request
 * Rank 0 prints a line for each number of bytes:
 *   bytes  microseconds of PMPI_...  of MPI_...  how many times faster
 * Times are medians over the rounds of the slowest rank's mean over a round's calls. */
#include <mpi.h>
#if defined(OPEN_MPI) && MPI_VERSION < 4
#include <mpi-ext.h>
#define MPI_Alltoall_init MPIX_Alltoall_init
#define PMPI_Alltoall_init PMPIX_Alltoall_init
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { max_rounds = 1000, calls_of_choice = 200, fewest_calls = 8, most_calls = 4000 };
static const double round_seconds = 0.02;
static void *from, *to;

static void mpi_allreduce(int bytes) {
  PMPI_Allreduce(from, to, bytes / 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}
static void our_allreduce(int bytes) { MPI_Allreduce(from, to, bytes / 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD); }
static void mpi_sum(int bytes) { PMPI_Allreduce(from, to, bytes / 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); }
static void our_sum(int bytes) { MPI_Allreduce(from, to, bytes / 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); }
static void mpi_bcast(int bytes) { PMPI_Bcast(from, bytes, MPI_BYTE, 0, MPI_COMM_WORLD); }
static void our_bcast(int bytes) { MPI_Bcast(from, bytes, MPI_BYTE, 0, MPI_COMM_WORLD); }
static void mpi_barrier(int bytes) { (void)bytes, PMPI_Barrier(MPI_COMM_WORLD); }
static void our_barrier(int bytes) { (void)bytes, MPI_Barrier(MPI_COMM_WORLD); }

static MPI_Request mpi_request, our_request;
static void init_persistent(int bytes) {
  PMPI_Alltoall_init(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, MPI_COMM_WORLD, MPI_INFO_NULL, &mpi_request);
  MPI_Alltoall_init(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, MPI_COMM_WORLD, MPI_INFO_NULL, &our_request);
}
static void free_persistent(int bytes) {
  (void)bytes, PMPI_Request_free(&mpi_request), MPI_Request_free(&our_request);
}
static void mpi_persistent(int bytes) {
  (void)bytes, PMPI_Start(&mpi_request), PMPI_Wait(&mpi_request, MPI_STATUS_IGNORE);
}
static void our_persistent(int bytes) {
  (void)bytes, MPI_Start(&our_request), MPI_Wait(&our_request, MPI_STATUS_IGNORE);
}

typedef void Call(int bytes);
static const struct MpiRoutine {
  const char* name;
  Call *mpi, *ours, *begin, *end;
} routines[] = {{"allreduce", mpi_allreduce, our_allreduce, NULL, NULL},
                {"sum", mpi_sum, our_sum, NULL, NULL},
                {"bcast", mpi_bcast, our_bcast, NULL, NULL},
                {"barrier", mpi_barrier, our_barrier, NULL, NULL},
                {"persistent", mpi_persistent, our_persistent, init_persistent, free_persistent}};

/* The slowest rank's microseconds for a call. */
static double time_calls(Call* call, int bytes, int calls) {
  double mine, slowest;
  PMPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  for (int each = 0; each < calls; each++) call(bytes);
  mine = (MPI_Wtime() - begin) / calls * 1e6;
  PMPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return slowest;
}

static int ascending(const void* a, const void* b) {
  const double left = *(const double*)a, right = *(const double*)b;
  return (left > right) - (left < right);
}

static void measure(const struct MpiRoutine* routine, int bytes, int rounds, int rank) {
  double mpi[max_rounds], ours[max_rounds];
  if (routine->begin) routine->begin(bytes);
  time_calls(routine->ours, bytes, calls_of_choice);
  const double wanted = round_seconds * 1e6 / (time_calls(routine->mpi, bytes, 3) + 1e-3);
  int calls = wanted < fewest_calls ? fewest_calls : wanted > most_calls ? most_calls : (int)wanted;
  PMPI_Bcast(&calls, 1, MPI_INT, 0, MPI_COMM_WORLD);
  for (int round = 0; round < rounds; round++) {
    mpi[round] = time_calls(routine->mpi, bytes, calls);
    ours[round] = time_calls(routine->ours, bytes, calls);
  }
  if (routine->end) routine->end(bytes);
  qsort(mpi, (size_t)rounds, sizeof *mpi, ascending), qsort(ours, (size_t)rounds, sizeof *ours, ascending);
  if (rank == 0)
    printf("%d\t%.2f\t%.2f\t%.2f\n", bytes, mpi[rounds / 2], ours[rounds / 2],
           mpi[rounds / 2] / ours[rounds / 2]);
  fflush(stdout);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, most = 8;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int rounds = argc > 3 ? atoi(argv[1]) : 0;
  const struct MpiRoutine* routine = NULL;
  for (size_t i = 0; argc > 3 && i < sizeof routines / sizeof *routines; i++)
    if (!strcmp(argv[2], routines[i].name)) routine = &routines[i];
  if (rounds < 1 || rounds > max_rounds || !routine) {
    if (rank == 0)
      fprintf(stderr, "usage: collectives ROUNDS allreduce|sum|bcast|barrier|persistent BYTES...\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  for (int i = 3; i < argc; i++) most = atoi(argv[i]) > most ? atoi(argv[i]) : most;
  from = calloc((size_t)size, (size_t)most), to = calloc((size_t)size, (size_t)most);
  for (int i = 3; i < argc; i++) measure(routine, atoi(argv[i]), rounds, rank);
  free(from), free(to);
  MPI_Finalize();
}
