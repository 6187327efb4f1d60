// Makes a window per NUMA domain and prints, on each rank, how many share it; for domain.sh.
// SPDX-License-Identifier: BSD-3-Clause
#include "atrium/node_window.h"
#include "expect.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const atrium_window_options options = {.domain = ATRIUM_BY_NUMA};
  atrium_window* window = NULL;
  EXPECT(atrium_window_create(MPI_COMM_WORLD, 8, &options, &window) == MPI_SUCCESS);
  printf("one of %d\n", atrium_window_size(window));
  EXPECT(atrium_window_free(&window) == MPI_SUCCESS);
  return finish();
}
