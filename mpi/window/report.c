// Errors of node windows: the text in four parts, and the way through the communicator's error handler.
// SPDX-License-Identifier: BSD-3-Clause
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "atrium_mpi_last_words.h"
#include "window.h"

static _Thread_local int last_code = MPI_SUCCESS;
static _Thread_local char last_text[MPI_MAX_ERROR_STRING + 640];

static void write_text(const atrium_window* window, const atrium_message* report) {
  atrium_message message = *report;
  char who[64], what[MPI_MAX_OBJECT_NAME + 128];
  int world = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &world);
  snprintf(who, sizeof who, "atrium: rank %d", world);
  if (window != NULL && window->name[0] != '\0') {
    snprintf(what, sizeof what, "%s '%s'", report->what, window->name);
    message.what = what;
  }
  atrium_format_message(who, &message, last_text, sizeof last_text);
  last_text[strlen(last_text) - 1] = '\0';  // the end of its last line
}

// Before the job is ended.
static void say_last_words(void) {
  atrium_print_text("%s\n", last_text);
  atrium_let_launcher_read();
}

// A handler that ends the job would end it with the MPI's words only, so ours are printed first.
static void call_handler(MPI_Comm comm, int code) {
  MPI_Errhandler handler;
  MPI_Comm_get_errhandler(comm, &handler);
  if (handler == MPI_ERRORS_ARE_FATAL) say_last_words();
  MPI_Errhandler_free(&handler);
  MPI_Comm_call_errhandler(comm, code);
}

int fail(const atrium_window* window, MPI_Comm comm, int code, const atrium_message* report) {
  write_text(window, report);
  last_code = code;
  call_handler(comm, code);
  return code;
}

// What MPI has answered where its own handler was set aside.
int pass_on(MPI_Comm comm, const atrium_window* window, int code, const char* during) {
  char words[MPI_MAX_ERROR_STRING + 1];
  int length = 0, class = MPI_ERR_OTHER;
  if (code == MPI_SUCCESS) return MPI_SUCCESS;
  MPI_Error_string(code, words, &length);
  MPI_Error_class(code, &class);
  const atrium_message report = {"the MPI cannot do what a node window needs", words, during,
                                 "what the MPI says of this error"};
  return fail(window, comm, class, &report);
}

int check(const atrium_window* window, const char* during) {
  if (window != NULL && window->life == kAlive) return MPI_SUCCESS;
  const char* because = window == NULL ? "the handle is NULL" : "it has been freed";
  const atrium_message report = {"this is no node window", because, during,
                                 "make the call between create and free"};
  return fail(NULL, MPI_COMM_WORLD, MPI_ERR_WIN, &report);
}

int check_rank(const atrium_window* window, int rank, const char* during) {
  const int code = check(window, during);
  if (code != MPI_SUCCESS || (rank >= 0 && rank < window->size)) return code;
  char because[80];
  snprintf(because, sizeof because, "rank %d is not among the %d of this node", rank, window->size);
  const atrium_message report = {"no such rank in the node window", because, during,
                                 "a rank from atrium_window_rank_of, which numbers the ranks of the node"};
  return fail(window, window->comm, MPI_ERR_RANK, &report);
}

void* own_memory(size_t count, size_t bytes) {
  void* memory = calloc(count, bytes);
  if (memory != NULL) return memory;
  const atrium_message report = {"no memory for what a rank remembers of a node window", strerror(errno),
                                 NULL, "fewer ranks on each node, or smaller windows"};
  write_text(NULL, &report);
  say_last_words();
  MPI_Abort(MPI_COMM_WORLD, 1);
  abort();
}

const char* atrium_window_strerror(int code) {
  static _Thread_local char words[MPI_MAX_ERROR_STRING + 1];
  if (code != MPI_SUCCESS && code == last_code) return last_text;
  int length = 0;
  if (MPI_Error_string(code, words, &length) != MPI_SUCCESS) return "no error code of MPI";
  return words;
}
