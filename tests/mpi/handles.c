// A thread exchanges on communicators that another thread makes and frees: their handles come back as those of
// other communicators, of another order or size (MPI_THREAD_MULTIPLE).
// SPDX-License-Identifier: BSD-3-Clause
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

#include "exchange_once.h"

enum { rounds = 150 };
static pthread_barrier_t step;
static MPI_Comm comm;
static int wrong, handles_again;

static void* use(void* unused) {
  for (int round = 0; round < rounds; round++) {
    pthread_barrier_wait(&step);
    wrong += !exchange_once(comm, round);
    pthread_barrier_wait(&step);
  }
  return unused;
}

// The world, the world backwards, or its two halves.
static void make(int round) {
  static MPI_Comm before;
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, round % 3 == 2 ? rank % 2 : 0, round % 3 ? -rank : rank, &comm);
  handles_again += comm == before;
  before = comm;
}

int main(int argc, char** argv) {
  int level;
  pthread_t user;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  if (level < MPI_THREAD_MULTIPLE) {
    MPI_Finalize();
    puts("this MPI was built without MPI_THREAD_MULTIPLE");
    return 77;
  }
  pthread_barrier_init(&step, NULL, 2);
  pthread_create(&user, NULL, use, NULL);
  for (int round = 0; round < rounds; round++) {
    make(round);
    pthread_barrier_wait(&step);
    pthread_barrier_wait(&step);
    MPI_Comm_free(&comm);
  }
  pthread_join(user, NULL);
  MPI_Finalize();
  printf("%d wrong exchanges; %d of %d handles came back at once\n", wrong, handles_again, rounds);
  if (wrong) return 1;
  return handles_again ? 0 : 77;  // an MPI that gives no handle twice at once has not been tested here
}
