// Programs that end badly, one per word, for endings.sh to look at their messages.
// SPDX-License-Identifier: BSD-3-Clause
#include <stdio.h>
#include <string.h>

#include "atrium/node_window.h"

static atrium_window* create(void) {
  const atrium_window_options options = {.name = "halo"};
  atrium_window* window = NULL;
  atrium_window_create(MPI_COMM_WORLD, 1000, &options, &window);
  return window;
}

static int free_and_report(atrium_window* window) {
  MPI_Comm_set_errhandler(atrium_window_comm(window), MPI_ERRORS_RETURN);
  const int code = atrium_window_free(&window);
  if (code != MPI_SUCCESS) printf("%s\n", atrium_window_strerror(code));
  return code == MPI_ERR_RMA_SYNC;
}

int main(int argc, char** argv) {
  const char* ending = argc > 1 ? argv[1] : "leak";
  int rank, as_expected = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  atrium_window* window = create();
  if (strcmp(ending, "one_frees") == 0 && rank == 0) as_expected = free_and_report(window);
  if (strcmp(ending, "one_is_busy") == 0) {
    if (rank == 0) as_expected = free_and_report(window);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  if (strcmp(ending, "fatal") == 0) atrium_window_wait(window, 1000);
  fflush(stdout);
  MPI_Finalize();
  return !as_expected;
}
