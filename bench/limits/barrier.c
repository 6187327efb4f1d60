/* Limit of a barrier of all processes, by a counter or by dissemination.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "waiting.h"

enum { max_processes = 1024, max_steps = 10 };
static struct BarrierMemory {
  struct RoundBarrier round_barrier;
  struct PaddedFlag counter, generation;
  struct PaddedFlag signals[max_steps][max_processes];
} * shared;
static int me, processes;

static void by_counter(long round) {
  if (atomic_fetch_add(&shared->counter.value, 1) == round * processes - 1)
    raise_flag(&shared->generation.value, round);
  else
    wait_for(&shared->generation.value, round);
}

static void by_dissemination(long round) {
  for (int step = 0; 1 << step < processes; step++) {
    raise_flag(&shared->signals[step][(me + (1 << step)) % processes].value, round);
    wait_for(&shared->signals[step][me].value, round);
  }
}

int main(int count, char** arguments) {
  const struct LimitOptions options = read_options(count, arguments);
  processes = options.processes;
  if (processes > max_processes) return 2;
  shared = share(sizeof *shared);
  me = multiply(processes);
  const struct Waiting counter = {"barrier", "counter", by_counter, 1},
                       signals = {"barrier", "dissemination", by_dissemination, 1};
  report_styles(counter, &shared->round_barrier, options, me);
  report_styles(signals, &shared->round_barrier, options, me);
  return finish();
}
