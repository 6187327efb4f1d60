// Who waits for a flag lets the MPI go on, whatever messages of the program nobody has received yet: the rank that is waited for
// first has to get rid of its own.
// SPDX-License-Identifier: BSD-3-Clause
#include <stdlib.h>

#include "atrium/node_window.h"
#include "expect.h"

enum { bytes = 4 << 20, early = 7, large = 8 };  // more bytes than an MPI sends before it is asked for them

static int wait_for(atrium_window* window, int rank) { return atrium_window_wait(window, rank); }

static int test_until(atrium_window* window, int rank) {
  int done = 0, code = MPI_SUCCESS;
  while (!done && code == MPI_SUCCESS) code = atrium_window_test(window, rank, &done);
  return code;
}

static void wait_before_receiving(atrium_window* window, char* data,
                                  int (*await)(atrium_window* window, int rank)) {
  const MPI_Comm node = atrium_window_comm(window);
  MPI_Request request;
  MPI_Probe(1, early, node, MPI_STATUS_IGNORE);
  MPI_Irecv(data, bytes, MPI_CHAR, 1, large, MPI_COMM_WORLD, &request);
  EXPECT(await(window, 1) == MPI_SUCCESS);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Recv(data, 1, MPI_CHAR, 1, early, node, MPI_STATUS_IGNORE);
}

static void send_before_posting(atrium_window* window, const char* data) {
  MPI_Send(data, 1, MPI_CHAR, 0, early, atrium_window_comm(window));
  MPI_Send(data, bytes, MPI_CHAR, 0, large, MPI_COMM_WORLD);
  EXPECT(atrium_window_post(window, 0) == MPI_SUCCESS);
}

int main(int argc, char** argv) {
  atrium_window* window = NULL;
  char* data = calloc(bytes, 1);
  MPI_Init(&argc, &argv);
  EXPECT(atrium_window_create(MPI_COMM_WORLD, 8, NULL, &window) == MPI_SUCCESS);
  for (int turn = 0; turn < 2; turn++) {
    if (world_rank() == 0) wait_before_receiving(window, data, turn == 0 ? wait_for : test_until);
    if (world_rank() == 1) send_before_posting(window, data);
  }
  EXPECT(atrium_window_free(&window) == MPI_SUCCESS);
  free(data);
  return finish();
}
