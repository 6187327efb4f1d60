/* Limits of one synchronisation that nobody is warm for, timed as the collectives are: `exchange once`:
 * everybody shows a word to everybody; `announce once`: process 0 shows a word to all others.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "rounds.h"
#include "waiting.h"

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
  wait_for(&line->flag, turn);
  sink = (unsigned long)line->data;
}

static void exchange(size_t bytes) {
  (void)bytes;
  turn++;
  show(&lines[me]);
  for (int other = 0; other < processes; other++) see(&lines[other]);
}

/* The same with a line of one's own for each to write into. */
static void deliver(size_t bytes) {
  (void)bytes;
  turn++;
  struct Line* boxes = lines + processes;
  for (int other = 0; other < processes; other++) show(&boxes[other * processes + me]);
  for (int other = 0; other < processes; other++) see(&boxes[me * processes + other]);
}

static void announce(size_t bytes) {
  (void)bytes;
  turn++;
  if (me == 0)
    show(&lines[0]);
  else
    see(&lines[0]);
}

/* With the better way to wait. In ns, on process 0. */
static double time_once(void (*run)(size_t)) {
  double best = 0;
  for (int i = 0; i < 2; i++) {
    style = crowded ? giving : i == 0 ? hasty : restful;
    const double ns = time_rounds(&(struct Task){.run = run, .actors = processes});
    if (i == 0 || ns < best) best = ns;
  }
  return best;
}

int main(int argc, char** arguments) {
  rounds_begin(read_wishes(argc, arguments));
  lines = share(sizeof *lines * (size_t)(processes * (processes + 1)));
  me = multiply(processes);
  const double shown = time_once(exchange), delivered = time_once(deliver), announced = time_once(announce);
  if (me == 0) report("exchange once", 0, shown < delivered ? shown : delivered, "ns");
  if (me == 0) report("announce once", 0, announced, "ns");
  return finish();
}
