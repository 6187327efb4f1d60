/* MPI counts the processes, OpenSHMEM moves the data: the numbers must agree.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * usage: mpi_and_shmem [shmem_first]      which of both begins first, and ends last */
#include <mpi.h>
#include <shmem.h>
#include <stdio.h>

static long from_left = -1;

static void compare(void) {
  int rank, size, good, all;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  shmem_long_p(&from_left, rank, (shmem_my_pe() + 1) % shmem_n_pes());
  shmem_barrier_all();
  good = rank == shmem_my_pe() && size == shmem_n_pes() && from_left == (rank + size - 1) % size;
  MPI_Reduce(&good, &all, 1, MPI_INT, MPI_MIN, 0, MPI_COMM_WORLD);
  if (rank == 0) puts(all ? "MPI and OpenSHMEM agree" : "MPI and OpenSHMEM differ");
}

int main(int argc, char** argv) {
  const int shmem_first = argc > 1;
  if (shmem_first) shmem_init();
  MPI_Init(&argc, &argv);
  if (!shmem_first) shmem_init();
  compare();
  if (!shmem_first) shmem_finalize();
  MPI_Finalize();
  if (shmem_first) shmem_finalize();
  return 0;
}
