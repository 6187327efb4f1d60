// Shared memory that cannot be had, on all ranks or on the last one: exchanges go the MPI's way, all ranks
// alike.
// SPDX-License-Identifier: BSD-3-Clause
//
// usage: no_memory shmget|shmat|another|window      shmat fails on one rank only, or finds another segment there, as
// where the ranks have IPC namespaces of their own
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/shm.h>

#include "exchange_once.h"

static const char* failing = "";
static int rank, size;

int shmget(key_t key, size_t bytes, int flags) {
  int (*real)(key_t, size_t, int) = (int (*)(key_t, size_t, int))dlsym(RTLD_NEXT, "shmget");
  if (strcmp(failing, "shmget")) return real(key, bytes, flags);
  errno = ENOSPC;
  return -1;
}

void* shmat(int id, const void* place, int flags) {
  void* (*real)(int, const void*, int) = (void* (*)(int, const void*, int))dlsym(RTLD_NEXT, "shmat");
  if (rank == size - 1 && !strcmp(failing, "another")) {
    id = shmget(IPC_PRIVATE, 1 << 20, IPC_CREAT | 0600);
    void* found = real(id, place, flags);
    shmctl(id, IPC_RMID, NULL);
    return found;
  }
  if (strcmp(failing, "shmat") || rank != size - 1) return real(id, place, flags);
  errno = EMFILE;
  return (void*)-1;
}

int PMPI_Win_allocate_shared(MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm, void* base,
                             MPI_Win* window) {
  int (*real)(MPI_Aint, int, MPI_Info, MPI_Comm, void*, MPI_Win*) = (int (*)(
      MPI_Aint, int, MPI_Info, MPI_Comm, void*, MPI_Win*))dlsym(RTLD_NEXT, "PMPI_Win_allocate_shared");
  return strcmp(failing, "window") ? real(bytes, unit, info, comm, base, window) : MPI_ERR_NO_MEM;
}

int main(int argc, char** argv) {
  int wrong = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_Comm_size(MPI_COMM_WORLD, &size);
  failing = argc > 1 ? argv[1] : "shmget";
  for (int call = 0; call < 10; call++) wrong += !exchange_once(MPI_COMM_WORLD, call);
  MPI_Finalize();
  if (wrong)
    printf("rank %d: %d wrong exchanges\n", rank, wrong);
  else if (rank == 0)
    puts("all values are right");
  return wrong != 0;
}
