// A window whose ranks wait in a known way: the last rank is late at each barrier, and rank 1 waits for the posts of rank 0.
// SPDX-License-Identifier: BSD-3-Clause
#include <mpi.h>
#include <stdio.h>
#include <time.h>

#include "atrium/node_window.h"

enum { barriers = 5, posts = 7, late_ms = 100 };

static void be_late(void) {
  const struct timespec nap = {0, late_ms * 1000000L};
  nanosleep(&nap, NULL);
}

int main(int argc, char** argv) {
  const atrium_window_options options = {.name = "late"};
  atrium_window* window;
  MPI_Init(&argc, &argv);
  atrium_window_create(MPI_COMM_WORLD, 1000, &options, &window);
  const int rank = atrium_window_rank(window), size = atrium_window_size(window);
  for (int turn = 0; turn < barriers; turn++) {
    if (rank == size - 1) be_late();
    atrium_window_barrier(window);
  }
  for (int turn = 0; turn < posts; turn++) {
    if (rank == 0) be_late(), atrium_window_post(window, 1);
    if (rank == 1) atrium_window_wait(window, 0);
  }
  atrium_window_fence(window);
  const int code = atrium_window_free(&window);
  MPI_Finalize();
  return code != MPI_SUCCESS;
}
