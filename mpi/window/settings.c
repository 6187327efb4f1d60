// Reads the variables of node windows, once. The job's rank 0 reports a value that makes no sense; the default holds in its place.
// SPDX-License-Identifier: BSD-3-Clause
#include <pthread.h>
#include <stdlib.h>

#include "atrium_message.h"
#include "window.h"

static const atrium_setting of_ranks = {"ATRIUM_NODE_RANKS", "number 1..1000000", "2",
                                        "ranks of a pretended node"};
static const atrium_setting of_patience = {"ATRIUM_WINDOW_PATIENCE", "seconds", "60",
                                           "how long freeing waits; 0 is for ever"};

static const atrium_setting of_report = {"ATRIUM_REPORT", "flag", "0",
                                         "what waiting has cost is said when a window is freed"};

static WindowSettings settings = {.free_patience = 60};

static void ignore(const atrium_setting* setting, const char* text) {
  atrium_bad_value bad;
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank != 0) return;
  atrium_describe_bad_value(setting, text, "is ignored", "reading the settings of node windows", &bad);
  atrium_print_message("atrium", &bad.message);
}

// False: it is not given, or makes no sense.
static int read_setting(const atrium_setting* setting, atrium_value* value) {
  const char* text = getenv(setting->name);
  if (text == NULL || *text == '\0') return 0;
  if (atrium_parse_value(setting->kind, text, value)) return 1;
  ignore(setting, text);
  return 0;
}

static void read_all(void) {
  atrium_value value;
  if (read_setting(&of_ranks, &value)) settings.node_ranks = (int)value.number;
  if (read_setting(&of_patience, &value)) settings.free_patience = value.seconds;
  if (read_setting(&of_report, &value)) settings.report = value.is_on != 0;
}

const WindowSettings* window_settings(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, read_all);
  return &settings;
}
