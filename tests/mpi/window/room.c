// Asks for windows of more and more bytes per rank, in each layout: each is made and can be stored to, or is refused.
// SPDX-License-Identifier: BSD-3-Clause
//
// usage: room FIRST STEP LAST [untouched]
#include <stdlib.h>
#include <string.h>

#include "atrium/node_window.h"
#include "expect.h"

static void ask(size_t bytes, const atrium_window_options* options) {
  atrium_window* window = NULL;
  const int code = atrium_window_create(MPI_COMM_WORLD, bytes, options, &window);
  EXPECT(code == MPI_SUCCESS || code == MPI_ERR_NO_MEM);
  if (world_rank() == 0)
    printf("layout %d: %zu bytes: %s\n", options->layout, bytes, code ? "refused" : "made");
  if (code != MPI_SUCCESS) return;
  if (!options->untouched) memset(atrium_window_mine(window), 1, bytes);
  EXPECT(atrium_window_free(&window) == MPI_SUCCESS);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (argc < 4) MPI_Abort(MPI_COMM_WORLD, 2);
  const size_t step = strtoul(argv[2], NULL, 10), last = strtoul(argv[3], NULL, 10);
  for (int layout = ATRIUM_PADDED; layout <= ATRIUM_SEPARATE; layout++) {
    const atrium_window_options options = {.layout = (atrium_window_layout)layout, .untouched = argc > 4};
    for (size_t bytes = strtoul(argv[1], NULL, 10); bytes <= last; bytes += step) ask(bytes, &options);
  }
  return finish();
}
