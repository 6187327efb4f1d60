/* Starts MPI, if and when its argument says so; with WITH_SHMEM it is a program of OpenSHMEM, too.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <string.h>
#ifdef WITH_SHMEM
#include <shmem.h>
#else
#define shmem_init() ((void)0)
#define shmem_finalize() ((void)0)
#endif

int main(int argc, char** argv) {
  const char* const way = argc > 1 ? argv[1] : "none";
  if (!strcmp(way, "mpi_first")) MPI_Init(NULL, NULL);
  shmem_init();
  if (!strcmp(way, "mpi_last") || !strcmp(way, "mpi_inside") || !strcmp(way, "mpi")) MPI_Init(NULL, NULL);
  if (!strcmp(way, "mpi_inside")) MPI_Finalize();
  shmem_finalize();
  if (!strcmp(way, "mpi_after")) MPI_Init(NULL, NULL);
  if (strcmp(way, "mpi_inside") != 0 && strcmp(way, "none") != 0) MPI_Finalize();
  return 0;
}
