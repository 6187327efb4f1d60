/* Times MPI_Alltoallv of two sizes that take turns, as in a program with small and large exchanges, with
 * Atrium's library and without it, in one run.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * usage: alternating [--leave] ROUNDS BYTES BYTES...
 * A round calls MPI_Alltoallv once with each size, then PMPI_Alltoallv. Rank 0 prints a line for each size:
 *   bytes per pair  microseconds of PMPI_Alltoallv  of MPI_Alltoallv  how many times faster
 * Times are medians over the rounds of the slowest rank. Without the library both are the MPI's own.
 * --leave: a rank that hangs in MPI_Finalize ends by itself 3 seconds after all is printed, as MPICH 4.0 over UCX's TCP
 * often makes necessary. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef int Exchange(const void*, const int*, const int*, MPI_Datatype, void*, const int*, const int*,
                     MPI_Datatype, MPI_Comm);

enum { most_rounds = 2000, most_sizes = 8, rounds_of_choice = 150, patience_s = 3 };
static Exchange* const ways[2] = {PMPI_Alltoallv, MPI_Alltoallv};
static double seconds[2][most_sizes][most_rounds];
static int rank, size, *counts, *displacements;
static unsigned char *send_buffer, *receive_buffer;

static void leave(int signal_number) { _exit(signal_number != SIGALRM); }

/* The slowest rank's seconds. The barrier keeps one call's stragglers out of the next one's time. */
static double time_call(Exchange* exchange, int bytes) {
  double mine, slowest;
  for (int peer = 0; peer < size; peer++) counts[peer] = bytes, displacements[peer] = peer * bytes;
  memset(send_buffer, rank + bytes, (size_t)size * bytes);
  PMPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  exchange(send_buffer, counts, displacements, MPI_BYTE, receive_buffer, counts, displacements, MPI_BYTE,
           MPI_COMM_WORLD);
  mine = MPI_Wtime() - begin;
  for (int peer = 0; peer < size; peer++)
    if (receive_buffer[(size_t)peer * bytes] != (unsigned char)(peer + bytes)) MPI_Abort(MPI_COMM_WORLD, 1);
  PMPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return slowest;
}

static int ascending(const void* a, const void* b) {
  const double left = *(const double*)a, right = *(const double*)b;
  return (left > right) - (left < right);
}

static double median(double* times, int rounds) {
  qsort(times, rounds, sizeof(double), ascending);
  return times[rounds / 2];
}

static void run(const int* bytes, int sizes, int rounds) {
  for (int round = -rounds_of_choice; round < rounds; round++)
    for (int way = round < 0; way < 2; way++)
      for (int i = 0; i < sizes; i++) {
        const double time = time_call(ways[way], bytes[i]);
        if (round >= 0) seconds[way][i][round] = time;
      }
  for (int i = 0; i < sizes && rank == 0; i++) {
    const double plain = median(seconds[0][i], rounds), ours = median(seconds[1][i], rounds);
    printf("%d\t%.2f\t%.2f\t%.2f\n", bytes[i], plain * 1e6, ours * 1e6, plain / ours);
  }
}

int main(int argc, char** argv) {
  int bytes[most_sizes], most = 1;
  MPI_Init(&argc, &argv);
  const int leaves = argc > 1 && !strcmp(argv[1], "--leave");
  argc -= leaves, argv += leaves;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int sizes = argc - 2, rounds = argc > 2 ? atoi(argv[1]) : 0;
  if (rounds < 1 || rounds > most_rounds || sizes > most_sizes) MPI_Abort(MPI_COMM_WORLD, 2);
  for (int i = 0; i < sizes; i++) most = (bytes[i] = atoi(argv[i + 2])) > most ? bytes[i] : most;
  send_buffer = malloc((size_t)size * most), receive_buffer = malloc((size_t)size * most);
  counts = malloc(size * sizeof(int)), displacements = malloc(size * sizeof(int));
  run(bytes, sizes, rounds);
  fflush(stdout);
  PMPI_Barrier(MPI_COMM_WORLD);
  if (leaves) signal(SIGALRM, leave), alarm(patience_s);
  MPI_Finalize();
  return 0;
}
