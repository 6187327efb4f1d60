// Litmus tests of MPI's unified memory model, on windows that the MPI made and nobody recompiled anything for: what one rank stored
// before a synchronisation, another one loads after it. A row for each synchronisation that the standard has; MPI_Barrier and
// MPI_Allreduce among them are Atrium's where it is in front of the MPI.
//
// Litmus: SYNC mpi-arrived
// SPDX-License-Identifier: BSD-3-Clause
//
// usage: unified [ROUNDS]
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "expect.h"

enum { words = 24 };

static MPI_Comm node;
static int rank, size;
static MPI_Win window;
static MPI_Group neighbours;

static long* part_of(int owner) {
  MPI_Aint bytes;
  int unit;
  long* part = NULL;
  MPI_Win_shared_query(window, owner, &bytes, &unit, &part);
  return part;
}

// ---- The synchronisations: everything before it, on any rank, is seen by everybody after it ----

static void by_barrier(void) { MPI_Win_sync(window), MPI_Barrier(node), MPI_Win_sync(window); }

static void by_reduction(void) {
  int mine = 1, all = 0;
  MPI_Win_sync(window);
  MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, node);
  MPI_Win_sync(window);
}

static void by_messages(void) {
  const int next = (rank + 1) % size, before = (rank + size - 1) % size;
  MPI_Win_sync(window);
  for (int turn = 0; turn < size - 1; turn++)
    MPI_Sendrecv(NULL, 0, MPI_INT, next, 1, NULL, 0, MPI_INT, before, 1, node, MPI_STATUS_IGNORE);
  MPI_Win_sync(window);
}

static void by_fence(void) { MPI_Win_fence(0, window); }

static void by_post_and_wait(void) {
  MPI_Win_post(neighbours, 0, window), MPI_Win_start(neighbours, 0, window);
  MPI_Win_complete(window), MPI_Win_wait(window);
}

typedef void Meeting(void);
struct row {
  const char* name;
  Meeting* meet;
  int needs_lock;
};
static const struct row rows[] = {{"sync, barrier, sync", by_barrier, 1},
                                  {"sync, reduction, sync", by_reduction, 1},
                                  {"sync, messages, sync", by_messages, 1},
                                  {"fence", by_fence, 0},
                                  {"post, start, complete, wait", by_post_and_wait, 0}};

// ---- The shapes ----

// Message passing: each rank writes its part, all read all parts; a second meeting keeps writers from overtaking.
static long message_passing(Meeting* meet, long rounds) {
  long wrong = 0;
  for (long round = 1; round <= rounds; round++) {
    for (int word = 0; word < words; word++) part_of(rank)[word] = round * 100 + rank;
    meet();
    for (int owner = 0; owner < size; owner++)
      for (int word = 0; word < words; word++) wrong += part_of(owner)[word] != round * 100 + owner;
    meet();
  }
  return wrong;
}

// Turns: one rank after the other adds to a word that nothing else protects.
static long turns(Meeting* meet, long rounds) {
  long* counter = part_of(0) + words;
  if (rank == 0) *counter = 0;
  meet();
  for (long turn = 0; turn < rounds; turn++) {
    if (turn % size == rank) *counter = *counter + 1;
    meet();
  }
  const long wrong = *counter != rounds;
  meet();
  return wrong;
}

// A put is a store: after the meeting the target loads it, and by loads of its own memory.
static long put_then_load(Meeting* meet, long rounds) {
  long wrong = 0;
  for (long round = 1; round <= rounds; round++) {
    MPI_Put(&round, 1, MPI_LONG, (rank + 1) % size, words + 1, 1, MPI_LONG, window);
    MPI_Win_flush((rank + 1) % size, window);
    meet();
    wrong += part_of(rank)[words + 1] != round;
    meet();
  }
  return wrong;
}

static void try_row(const struct row* row, long rounds) {
  if (row->needs_lock) MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
  long wrong = message_passing(row->meet, rounds) + turns(row->meet, rounds / 4);
  if (row->needs_lock) wrong += put_then_load(row->meet, rounds / 4);
  if (row->needs_lock) MPI_Win_unlock_all(window);
  if (wrong) printf("rank %d, %s: %ld loads were wrong\n", rank, row->name, wrong);
  EXPECT(wrong == 0);
  MPI_Barrier(node);
}

static void expect_unified(void) {
  int *model, found = 0;
  MPI_Win_get_attr(window, MPI_WIN_MODEL, &model, &found);
  EXPECT(found && *model == MPI_WIN_UNIFIED);
}

// All other ranks: of what a post makes visible, those that it names may load it.
static void name_neighbours(void) {
  MPI_Group all;
  MPI_Comm_group(node, &all);
  MPI_Group_excl(all, 1, &rank, &neighbours);
  MPI_Group_free(&all);
}

int main(int argc, char** argv) {
  long* mine;
  const long rounds = argc > 1 ? atol(argv[1]) : 1000;
  MPI_Init(&argc, &argv);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_rank(node, &rank), MPI_Comm_size(node, &size);
  MPI_Win_allocate_shared((words + 8) * (MPI_Aint)sizeof(long), sizeof(long), MPI_INFO_NULL, node, &mine,
                          &window);
  name_neighbours();
  expect_unified();
  for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) try_row(&rows[row], rounds);
  MPI_Group_free(&neighbours);
  MPI_Win_free(&window);
  MPI_Comm_free(&node);
  return finish();
}
