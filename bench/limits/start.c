/* Limit of starting: as many processes that do nothing, started with posix_spawn and waited for. Run without
 * arguments, this program is that process; with `--time NAME COMMAND...` it times the command in the same
 * way.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <spawn.h>

#include "limit.h"

extern char** environ;

/* Nanoseconds. A process that fails ends the measurement. */
static double start_and_wait(char** command, int processes) {
  const double begin = now_ns();
  for (int i = 0; i < processes; i++) {
    pid_t child;
    if (posix_spawnp(&child, command[0], NULL, NULL, command, environ) != 0) exit(3);
  }
  int status;
  while (wait(&status) > 0)
    if (status != 0) exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
  return now_ns() - begin;
}

/* As often as fits into the patience; once at least. In ms. */
static void report_starts(const char* name, char** command, int processes, double patience_ns) {
  const double end = now_ns() + patience_ns;
  double each[max_batches];
  int batches = 0;
  do each[batches++] = start_and_wait(command, processes);
  while (batches < max_batches && now_ns() < end);
  report(name, 0, middle(each, batches) / 1e6, "ms");
}

int main(int count, char** arguments) {
  if (count < 2) return 0;
  if (count > 3 && strcmp(arguments[1], "--time") == 0) {
    report_starts(arguments[2], arguments + 3, 1, 3e8);
    return 0;
  }
  const struct Wishes wishes = read_wishes(count, arguments);
  char* nothing[] = {arguments[0], NULL};
  report_starts("empty processes", nothing, wishes.processes, 3e8);
  return 0;
}
