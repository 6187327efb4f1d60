/* Limit of making way: two processes on one CPU, each yields to the other; what one switch costs.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "limit.h"

enum { switches = 20000 };

int main(int count, char** arguments) {
  const struct LimitOptions options = read_options(count, arguments);
  const int batches = options.quick ? 5 : 15;
  double each[max_batches];
  struct RoundBarrier* round_barrier = share(sizeof *round_barrier);
  pin(0);
  const int me = multiply(2);
  meet(round_barrier, 2);
  for (int batch = 0; batch < batches; batch++) {
    const double begin = now_ns();
    for (int i = 0; i < switches / 2; i++) sched_yield();
    each[batch] = (now_ns() - begin) / switches;
  }
  meet(round_barrier, 2);
  if (me == 0) report("yield", 0, middle(each, batches), "ns");
  return finish();
}
