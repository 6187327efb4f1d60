/* Limit of telling: a word that two processes throw to and fro, one way; alone, or with data in another line.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "waiting.h"

static struct PingpongMemory {
  struct RoundBarrier round_barrier;
  struct PaddedFlag flags[2][2], data[2];
} * shared;
static int me;
static volatile long sink;

static void throw_word(long round) {
  if (me == 0) raise_flag(&shared->flags[0][1].value, round);
  wait_for(&shared->flags[0][me].value, round);
  if (me == 1) raise_flag(&shared->flags[0][0].value, round);
}

static void throw_with_data(long round) {
  if (me == 1) wait_for(&shared->flags[1][1].value, round);
  sink = atomic_load_explicit(&shared->data[me].value, memory_order_relaxed);
  atomic_store_explicit(&shared->data[1 - me].value, round, memory_order_relaxed);
  raise_flag(&shared->flags[1][1 - me].value, round);
  if (me == 0) wait_for(&shared->flags[1][0].value, round);
}

int main(int count, char** arguments) {
  struct LimitOptions options = read_options(count, arguments);
  options.processes = 2;
  shared = share(sizeof *shared);
  me = multiply(2);
  const struct Waiting word = {"ping-pong one line", "thrown", throw_word, 2},
                       both = {"ping-pong two lines", "thrown", throw_with_data, 2};
  report_styles(word, &shared->round_barrier, options, me);
  report_styles(both, &shared->round_barrier, options, me);
  return finish();
}
