// Does a window know that its ranks outnumber what may run at once? Prints it, and waits a little for each other.
// SPDX-License-Identifier: BSD-3-Clause
#include <stdio.h>

#include "window.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  atrium_window* window;
  atrium_window_create(MPI_COMM_WORLD, 64, NULL, &window);
  for (int turn = 0; turn < 100; turn++) atrium_window_barrier(window);
  if (atrium_window_rank(window) == 0)
    printf("%s\n", window->oversubscribed ? "the ranks are oversubscribed" : "each rank has a CPU");
  atrium_window_free(&window);
  MPI_Finalize();
  return 0;
}
