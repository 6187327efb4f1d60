// Two threads of a rank with a window each: while one waits in a free, what the other does is no error.
// SPDX-License-Identifier: BSD-3-Clause
#include <pthread.h>
#include <unistd.h>

#include "atrium/node_window.h"
#include "expect.h"

static atrium_window *first, *second;

static void* free_first(void* nothing) {
  EXPECT(atrium_window_free(&first) == MPI_SUCCESS);
  return nothing;
}

// The others are waited for in `first` until they have their post, which comes late, in `second`.
static void post_while_a_thread_frees(int ranks) {
  pthread_t thread;
  pthread_create(&thread, NULL, free_first, NULL);
  usleep(100000);
  for (int rank = 1; rank < ranks; rank++) EXPECT(atrium_window_post(second, rank) == MPI_SUCCESS);
  pthread_join(thread, NULL);
}

int main(int argc, char** argv) {
  int level, ranks;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  EXPECT(level == MPI_THREAD_MULTIPLE);
  EXPECT(atrium_window_create(MPI_COMM_WORLD, 8, NULL, &first) == MPI_SUCCESS);
  EXPECT(atrium_window_create(MPI_COMM_WORLD, 8, NULL, &second) == MPI_SUCCESS);
  if (world_rank() == 0) {
    post_while_a_thread_frees(ranks);
  } else {
    EXPECT(atrium_window_wait(second, 0) == MPI_SUCCESS);
    free_first(NULL);
  }
  EXPECT(atrium_window_free(&second) == MPI_SUCCESS);
  return finish();
}
