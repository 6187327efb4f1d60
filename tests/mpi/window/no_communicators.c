// The program has all communicators that the MPI has: creating a window is one error with our text, until there are some.
// SPDX-License-Identifier: BSD-3-Clause
#include <string.h>

#include "atrium/node_window.h"
#include "expect.h"

enum { most = 4096, wanted = 8 };
static MPI_Comm comms[most];
static int errors;

static void note_error(MPI_Comm* comm, int* error, ...) {
  (void)comm, (void)error;
  errors++;
}

static int take_all(void) {
  int taken = 0;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  while (taken < most && MPI_Comm_dup(MPI_COMM_WORLD, &comms[taken]) == MPI_SUCCESS) taken++;
  return taken;
}

static void expect_refusal(void) {
  atrium_window* window = NULL;
  int class = MPI_SUCCESS;
  const int code = atrium_window_create(MPI_COMM_WORLD, 64, NULL, &window);
  MPI_Error_class(code, &class);
  EXPECT(code != MPI_SUCCESS && code == class && window == NULL && errors == 1);
  EXPECT(strstr(atrium_window_strerror(code), "while:   atrium_window_create") != NULL);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Errhandler handler;
  atrium_window* window = NULL;
  const int taken = take_all();
  if (taken == most) return MPI_Finalize(), 77;  // an MPI that always has one more
  MPI_Comm_create_errhandler(note_error, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  expect_refusal();
  for (int i = 0; i < wanted; i++) MPI_Comm_free(&comms[i]);
  EXPECT(atrium_window_create(MPI_COMM_WORLD, 64, NULL, &window) == MPI_SUCCESS);
  EXPECT(atrium_window_free(&window) == MPI_SUCCESS && errors == 1);
  for (int i = wanted; i < taken; i++) MPI_Comm_free(&comms[i]);
  MPI_Errhandler_free(&handler);
  return finish();
}
