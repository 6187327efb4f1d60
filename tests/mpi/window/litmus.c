// Post and wait under stress: message passing with data, counting, both directions, and the counters'
// wrap-around.
// SPDX-License-Identifier: BSD-3-Clause
//
// Litmus: SYNC window-flag
// usage: litmus [ROUNDS]. The counters start two below zero, so each run wraps them.
#include <stdlib.h>

#include "atrium/node_window.h"
#include "expect.h"

enum { kWords = 32 };

static atrium_window* create(void) {
  atrium_window* window = NULL;
  EXPECT(atrium_window_create(MPI_COMM_WORLD, kWords * sizeof(long), NULL, &window) == MPI_SUCCESS);
  return window;
}

static volatile long* part_of(atrium_window* window, int rank) {
  volatile long* part = NULL;
  atrium_window_part(window, rank, &part, NULL);
  return part;
}

// Even ranks write, their odd neighbours read; the answer post keeps the writer from overtaking.
static void a_wait_sees_what_was_stored_before_the_post(atrium_window* window, long rounds) {
  const int rank = atrium_window_rank(window), peer = rank ^ 1;
  if (peer >= atrium_window_size(window)) return;
  volatile long* data = part_of(window, rank & ~1);
  long wrong = 0;
  for (long round = 1; round <= rounds; round++) {
    if (rank % 2 == 0) {
      for (int word = 0; word < kWords; word++) data[word] = round;
      atrium_window_post(window, peer);
      atrium_window_wait(window, peer);
    } else {
      atrium_window_wait(window, peer);
      for (int word = 0; word < kWords; word++) wrong += data[word] != round;
      atrium_window_post(window, peer);
    }
  }
  EXPECT(wrong == 0);
}

static void posts_are_counted(atrium_window* window) {
  const int size = atrium_window_size(window), rank = atrium_window_rank(window);
  const int next = (rank + 1) % size, previous = (rank + size - 1) % size;
  int done = 0, taken = 0;
  for (int post = 0; post < 5; post++) EXPECT(atrium_window_post(window, next) == MPI_SUCCESS);
  EXPECT(atrium_window_barrier(window) == MPI_SUCCESS);
  for (int post = 0; post < 3; post++) EXPECT(atrium_window_wait(window, previous) == MPI_SUCCESS);
  while (atrium_window_test(window, previous, &done) == MPI_SUCCESS && done) taken++;
  EXPECT(taken == 2);
  EXPECT(atrium_window_barrier(window) == MPI_SUCCESS);
}

// Each rank adds to a counter that only the barrier protects, in turn.
static void a_barrier_separates_turns(atrium_window* window, long rounds) {
  const int size = atrium_window_size(window), rank = atrium_window_rank(window);
  volatile long* counter = part_of(window, 0);
  atrium_window_barrier(window);
  if (rank == 0) *counter = 0;
  atrium_window_barrier(window);
  for (long turn = 0; turn < rounds; turn++) {
    if (turn % size == rank) *counter = *counter + 1;
    atrium_window_barrier(window);
  }
  EXPECT(*counter == rounds);
  atrium_window_barrier(window);
}

// A token goes around all ranks, each adding one.
static void a_token_goes_around(atrium_window* window, long rounds) {
  const int size = atrium_window_size(window), rank = atrium_window_rank(window);
  volatile long *mine = part_of(window, rank), *previous = part_of(window, (rank + size - 1) % size);
  mine[0] = 0;
  atrium_window_barrier(window);
  for (long round = 0; round < rounds; round++) {
    if (round > 0 || rank > 0) atrium_window_wait(window, (rank + size - 1) % size);
    mine[0] = (round > 0 || rank > 0 ? previous[0] : 0) + 1;
    atrium_window_post(window, (rank + 1) % size);
  }
  EXPECT(mine[0] == (rounds - 1) * size + rank + 1);
  if (rank == 0) atrium_window_wait(window, size - 1);
  atrium_window_barrier(window);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const long rounds = argc > 1 ? atol(argv[1]) : 10000;
  atrium_window* window = create();
  a_wait_sees_what_was_stored_before_the_post(window, rounds);
  posts_are_counted(window);
  a_barrier_separates_turns(window, rounds / 10);
  a_token_goes_around(window, rounds / 10);
  EXPECT(atrium_window_free(&window) == MPI_SUCCESS);
  return finish();
}
