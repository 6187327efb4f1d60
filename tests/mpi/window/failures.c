// What goes wrong is an error with a text, and never a hang: misuse on one rank, on some, on all.
// SPDX-License-Identifier: BSD-3-Clause
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "atrium/node_window.h"
#include "expect.h"

static int ranks;

static atrium_window* create(size_t bytes) {
  const atrium_window_options options = {.name = "test"};
  atrium_window* window = NULL;
  EXPECT(atrium_window_create(MPI_COMM_WORLD, bytes, &options, &window) == MPI_SUCCESS);
  return window;
}

static int create_code(MPI_Comm comm, size_t bytes, const atrium_window_options* options) {
  atrium_window* window = (atrium_window*)&ranks;
  const int code = atrium_window_create(comm, bytes, options, &window);
  EXPECT(window == NULL);
  return code;
}

static void sizes_that_cannot_be_had(void) {
  EXPECT(create_code(MPI_COMM_WORLD, SIZE_MAX, NULL) == MPI_ERR_SIZE);
  EXPECT(create_code(MPI_COMM_WORLD, world_rank() == ranks - 1 ? SIZE_MAX / 2 : 8, NULL) == MPI_ERR_SIZE);
  if (ranks > 1)  // all together 2 to the power of 64
    EXPECT(create_code(MPI_COMM_WORLD,
                       world_rank() == 0   ? PTRDIFF_MAX / 2
                       : world_rank() == 1 ? (size_t)3 << 62
                                           : 0,
                       NULL) == MPI_ERR_SIZE);
  EXPECT(create_code(MPI_COMM_WORLD, (size_t)1 << 50, NULL) == MPI_ERR_NO_MEM);
  EXPECT(strstr(atrium_window_strerror(MPI_ERR_NO_MEM), "try:") != NULL);
}

static void arguments_that_make_no_sense(void) {
  const atrium_window_options wrong = {.layout = (atrium_window_layout)7};
  const atrium_window_options differs = {.layout = world_rank() == 0 ? ATRIUM_PADDED : ATRIUM_SEPARATE};
  EXPECT(create_code(MPI_COMM_NULL, 8, NULL) == MPI_ERR_COMM);
  EXPECT(create_code(MPI_COMM_WORLD, 8, &wrong) == MPI_ERR_ARG);
  EXPECT(strstr(atrium_window_strerror(MPI_ERR_ARG), "layout") != NULL);
  EXPECT(strstr(atrium_window_strerror(MPI_ERR_ARG), "/dev/shm") == NULL);
  const atrium_window_options elsewhere = {.domain = world_rank() == 0 ? ATRIUM_BY_NODE : ATRIUM_BY_NUMA};
  if (ranks > 1) EXPECT(create_code(MPI_COMM_WORLD, 8, &differs) == MPI_ERR_ARG);
  if (ranks > 1) EXPECT(create_code(MPI_COMM_WORLD, 8, &elsewhere) == MPI_ERR_ARG);
}

static void ranks_that_do_not_exist(atrium_window* window) {
  char* part;
  int done;
  MPI_Aint displacement;
  EXPECT(atrium_window_part(window, ranks, &part, NULL) == MPI_ERR_RANK);
  EXPECT(atrium_window_post(window, -7) == MPI_ERR_RANK);
  EXPECT(atrium_window_wait(window, ranks) == MPI_ERR_RANK);
  EXPECT(atrium_window_test(window, ranks, &done) == MPI_ERR_RANK);
  EXPECT(atrium_window_mpi(window, ranks, &displacement) == MPI_WIN_NULL);
  EXPECT(atrium_window_rank_of(window, ranks) == MPI_UNDEFINED);
  EXPECT(strstr(atrium_window_strerror(MPI_ERR_RANK), "'test'") != NULL);
}

static void epochs_out_of_order(atrium_window* window) {
  atrium_window* copy = window;
  EXPECT(atrium_window_sync(window) == MPI_ERR_RMA_SYNC);
  EXPECT(atrium_window_unlock_all(window) == MPI_ERR_RMA_SYNC);
  EXPECT(atrium_window_lock_all(window) == MPI_SUCCESS);
  EXPECT(atrium_window_lock_all(window) == MPI_ERR_RMA_SYNC);
  EXPECT(atrium_window_fence(window) == MPI_ERR_RMA_SYNC);
  EXPECT(atrium_window_free(&copy) == MPI_ERR_RMA_SYNC && copy == window);
  EXPECT(atrium_window_unlock_all(window) == MPI_SUCCESS);
}

static void a_wait_for_oneself_needs_a_post(atrium_window* window) {
  EXPECT(atrium_window_wait(window, world_rank()) == MPI_ERR_RMA_SYNC);
  EXPECT(strstr(atrium_window_strerror(MPI_ERR_RMA_SYNC), "has not posted") != NULL);
  EXPECT(atrium_window_post(window, world_rank()) == MPI_SUCCESS);
  EXPECT(atrium_window_wait(window, world_rank()) == MPI_SUCCESS);
}

static void use_after_free(atrium_window* window) {
  atrium_window *stale = window, *again = window;
  EXPECT(atrium_window_free(&window) == MPI_SUCCESS && window == NULL);
  EXPECT(atrium_window_free(&window) == MPI_ERR_WIN);
  EXPECT(atrium_window_free(&again) == MPI_ERR_WIN);
  EXPECT(atrium_window_barrier(stale) == MPI_ERR_WIN);
  EXPECT(atrium_window_mine(stale) == NULL);
  EXPECT(atrium_window_post(stale, 0) == MPI_ERR_WIN);
  EXPECT(strstr(atrium_window_strerror(MPI_ERR_WIN), "freed") != NULL);
}

// Rank 0 frees; the others do what waits for it: an error for them, and rank 0 goes on when they free as
// well.
static void one_rank_frees_while(int (*others_do)(atrium_window*)) {
  atrium_window* window = create(64);
  if (world_rank() > 0) EXPECT(others_do(window) == MPI_ERR_RMA_SYNC);
  EXPECT(atrium_window_free(&window) == MPI_SUCCESS);
}

static int wait_for_rank_0(atrium_window* window) { return atrium_window_wait(window, 0); }

static void a_post_before_the_free_still_counts(void) {
  atrium_window* window = create(64);
  if (world_rank() == 0)
    for (int rank = 1; rank < ranks; rank++) EXPECT(atrium_window_post(window, rank) == MPI_SUCCESS);
  else
    EXPECT(wait_for_rank_0(window) == MPI_SUCCESS);
  EXPECT(atrium_window_free(&window) == MPI_SUCCESS);
}

// Two windows, freed in one order by rank 0 and in the other by the rest. Rank 0 must learn of it and give
// way; the rest may be told more than once before it does.
static void frees_in_different_orders(void) {
  atrium_window *first = create(64), *second = create(64);
  if (world_rank() == 0) EXPECT(atrium_window_free(&first) == MPI_ERR_RMA_SYNC && first != NULL);
  int code = MPI_SUCCESS;
  do {
    code = atrium_window_free(&second);
    EXPECT(code == MPI_SUCCESS || code == MPI_ERR_RMA_SYNC);
  } while (code == MPI_ERR_RMA_SYNC);
  EXPECT(atrium_window_free(&first) == MPI_SUCCESS);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  sizes_that_cannot_be_had();
  arguments_that_make_no_sense();
  atrium_window* window = create(100);
  ranks_that_do_not_exist(window);
  epochs_out_of_order(window);
  a_wait_for_oneself_needs_a_post(window);
  use_after_free(window);
  if (ranks > 1) {
    one_rank_frees_while(atrium_window_barrier);
    one_rank_frees_while(atrium_window_fence);
    one_rank_frees_while(atrium_window_freeze);
    EXPECT(strstr(atrium_window_strerror(MPI_ERR_RMA_SYNC), "while:   atrium_window_freeze") != NULL ||
           world_rank() == 0);
    one_rank_frees_while(wait_for_rank_0);
    a_post_before_the_free_still_counts();
    frees_in_different_orders();
  }
  return finish();
}
