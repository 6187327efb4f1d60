// The variables, read once. One that makes no sense is said, by the job's rank 0, and left at its default.
// SPDX-License-Identifier: BSD-3-Clause
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "window.h"

enum { kMostRanks = 1000000 };

static int node_ranks;
static double patience = 60;

static void ignore(const char* name, const char* text, const char* wanted, const char* example) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank != 0) return;
  fprintf(stderr,
          "atrium: %s=%s is ignored\n  because: it has to be %s\n"
          "  while:   reading the settings of node windows\n"
          "  try:     %s=%s\n",
          name, text, wanted, name, example);
}

static void read_node_ranks(void) {
  const char *name = "ATRIUM_NODE_RANKS", *text = getenv(name);
  char* end = NULL;
  const long given = text != NULL ? strtol(text, &end, 10) : 0;
  if (text == NULL) return;
  if (end != text && *end == '\0' && given >= 1 && given <= kMostRanks)
    node_ranks = (int)given;
  else
    ignore(name, text, "a number of ranks, at least 1", "2");
}

static void read_patience(void) {
  const char *name = "ATRIUM_WINDOW_PATIENCE", *text = getenv(name);
  char* end = NULL;
  const double given = text != NULL ? strtod(text, &end) : 0;
  if (text == NULL) return;
  if (end != text && *end == '\0' && given >= 0)
    patience = given;
  else
    ignore(name, text, "a number of seconds, 0 for ever", "60");
}

static void read_all(void) {
  read_node_ranks();
  read_patience();
}

static void read_once(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, read_all);
}

int pretended_node_ranks(void) {
  read_once();
  return node_ranks;
}

double free_patience(void) {
  read_once();
  return patience;
}
