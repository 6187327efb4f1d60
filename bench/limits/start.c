/* Limit of starting: as many processes that do nothing, started with posix_spawn and waited for. Run without
 * arguments, this program is that process. SPDX-License-Identifier: BSD-3-Clause */
#include <spawn.h>

#include "limit.h"

extern char** environ;

static double start_and_wait(char* path, int processes) {
  char* nothing[] = {path, NULL};
  const double begin = now_ns();
  for (int i = 0; i < processes; i++) {
    pid_t child;
    if (posix_spawn(&child, path, NULL, NULL, nothing, environ) != 0) exit(3);
  }
  while (wait(NULL) > 0) continue;
  return now_ns() - begin;
}

int main(int count, char** arguments) {
  if (count < 2) return 0;
  const struct Wishes wishes = read_wishes(count, arguments);
  double each[max_batches];
  const int batches = wishes.processes > 16 || wishes.quick ? 5 : 15;
  for (int batch = 0; batch < batches; batch++) each[batch] = start_and_wait(arguments[0], wishes.processes);
  report("empty processes", 0, median(each, batches) / 1e6, "ms");
  return 0;
}
