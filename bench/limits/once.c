/* Limits of one synchronisation that nobody is warm for, timed as the collectives are: `exchange once`:
 * everybody shows a word to everybody; `announce once`: process 0 shows a word to all others.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "rounds.h"

struct Line {
  _Alignas(pair_bytes) atomic_long flag;
  long data;
};
static struct Line* lines;
static long turn;

static void show(struct Line* line) {
  line->data = turn;
  atomic_store_explicit(&line->flag, turn, memory_order_release);
}

static void see(struct Line* line) {
  while (atomic_load_explicit(&line->flag, memory_order_acquire) < turn)
    if (crowded)
      sched_yield();
    else
      relax();
  sink = (unsigned long)line->data;
}

static void exchange(size_t bytes) {
  (void)bytes;
  turn++;
  show(&lines[me]);
  for (int other = 0; other < processes; other++) see(&lines[other]);
}

static void announce(size_t bytes) {
  (void)bytes;
  turn++;
  if (me == 0)
    show(&lines[0]);
  else
    see(&lines[0]);
}

static void report_once(const char* what, void (*run)(size_t)) {
  const double ns = time_rounds(&(struct Task){.run = run, .actors = processes});
  if (me == 0) report(what, 0, ns, "ns");
}

int main(int argc, char** arguments) {
  rounds_begin(read_wishes(argc, arguments));
  lines = share(sizeof *lines * (size_t)processes);
  me = multiply(processes);
  report_once("exchange once", exchange);
  report_once("announce once", announce);
  return finish();
}
