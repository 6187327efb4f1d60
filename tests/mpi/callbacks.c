// Attributes of the program call collectives when they are deleted: on a communicator that is being freed, and in MPI_Finalize. Not all
// ranks set them at the same time, seen from the library's own.
// SPDX-License-Identifier: BSD-3-Clause
//
// usage: callbacks free|disconnect|unseen      unseen: by PMPI_ names, as from a profiler. The ranks set attributes at the same time then.
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#include "exchange_once.h"

enum { turns = 12, calls = 80 /* more than the first ones of a communicator, which are the MPI's */ };
static int rank, ranks, wrong, called_back;

static void use(MPI_Comm comm, int times) {
  int size;
  MPI_Comm_size(comm, &size);
  for (int call = 0; call < times; call++) {
    int one = 1, sum = 0;
    wrong += !exchange_once(comm, call);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
    MPI_Barrier(comm);
    wrong += sum != size;
  }
}

static int use_it(MPI_Comm comm, int key, void* attribute, void* state) {
  (void)key, (void)attribute, (void)state;
  called_back++;
  use(comm, 2);
  return MPI_SUCCESS;
}

// What is made here is left to the library.
static int use_the_world(MPI_Comm self, int key, void* attribute, void* state) {
  (void)key, (void)attribute, (void)state;
  MPI_Comm late;
  called_back++;
  use(self, 2), use(MPI_COMM_WORLD, 2);
  MPI_Comm_dup(MPI_COMM_WORLD, &late);
  use(late, calls);
  return MPI_SUCCESS;
}

static int new_key(MPI_Comm_delete_attr_function* called) {
  int key;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, called, &key, NULL);
  return key;
}

// Of two kinds, so that a handle comes back as another communicator's.
static MPI_Comm new_comm(int turn) {
  MPI_Comm comm;
  MPI_Comm_split(MPI_COMM_WORLD, 0, turn % 2 ? -rank : rank, &comm);
  return comm;
}

static void come_and_go(int (*end)(MPI_Comm*), int together) {
  const int key = new_key(use_it);
  for (int turn = 0; turn < turns; turn++) {
    MPI_Comm comm = new_comm(turn), other = new_comm(turn + 1);
    const int early = (turn + (together ? 0 : rank)) % 2;
    if (early) MPI_Comm_set_attr(comm, key, NULL);
    use(comm, turn % 3 ? turn : calls);
    if (!early) MPI_Comm_set_attr(comm, key, NULL);
    if (together) use(other, 1);
    MPI_Comm_set_attr(other, key, NULL);  // if its end is seen, its first calls come when it goes
    end(&comm), end(&other);
  }
  wrong += called_back != 2 * turns;
}

// Rank 0 calls the library first.
static void hang_on_self(int together) {
  MPI_Comm alone;
  const int key = new_key(use_the_world);
  MPI_Comm_split(MPI_COMM_WORLD, rank < ranks - 1, 0, &alone);
  if (together || rank < ranks - 1) use(alone, 1), use(MPI_COMM_SELF, 1);
  if (together) use(MPI_COMM_WORLD, 1);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
  MPI_Comm_free(&alone);
}

int main(int argc, char** argv) {
  const char* mode = argc > 1 ? argv[1] : "free";
  const int unseen = !strcmp(mode, "unseen");
  unseen ? PMPI_Init(&argc, &argv) : MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  hang_on_self(unseen);
  come_and_go(unseen                        ? PMPI_Comm_free
              : !strcmp(mode, "disconnect") ? MPI_Comm_disconnect
                                            : MPI_Comm_free,
              unseen);
  called_back = 0;
  MPI_Finalize();
  wrong += called_back != 1;
  if (wrong) printf("rank %d: %d results are wrong\n", rank, wrong);
  return wrong != 0;
}
