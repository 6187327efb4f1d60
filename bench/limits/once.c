/* Limits of one synchronisation that nobody is warm for, timed as the collectives are, with what travels
 * beside the flag, out of a source that was rewritten into a target that was read: `exchange once`: everybody
 * shows its to everybody; `announce once`: process 0 shows its to all others.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "rounds.h"
#include "waiting.h"

enum { most_bytes = 64 };
struct FlaggedLine {
  _Alignas(pair_bytes) atomic_long flag;
  char data[most_bytes];
};
static struct FlaggedLine* lines;
static char *source, *target;
static long turn;

static void show(struct FlaggedLine* line, size_t bytes) {
  memcpy(line->data, source, bytes);
  atomic_store_explicit(&line->flag, turn, memory_order_release);
}

static void see(struct FlaggedLine* line, int from, size_t bytes) {
  wait_for(&line->flag, turn);
  memcpy(target + (size_t)from * bytes, line->data, bytes);
}

static void exchange(size_t bytes) {
  turn++;
  show(&lines[me], bytes);
  for (int other = 0; other < processes; other++) see(&lines[other], other, bytes);
}

/* The same with a line of one's own for each to write into. */
static void deliver(size_t bytes) {
  turn++;
  struct FlaggedLine* boxes = lines + processes;
  for (int other = 0; other < processes; other++) show(&boxes[other * processes + me], bytes);
  for (int other = 0; other < processes; other++) see(&boxes[me * processes + other], other, bytes);
}

static void announce(size_t bytes) {
  turn++;
  if (me == 0) show(&lines[0], bytes);
  see(&lines[0], 0, bytes);
}

/* `what [way, style]`, for each style of waiting: the driver settles which counts. */
static void measure_once(const char* what, const char* way, void (*run)(size_t), size_t bytes) {
  const size_t gathered = bytes * (size_t)processes;
  for (int i = 0; i < styles(); i++) {
    char name[64];
    snprintf(name, sizeof name, "%s [%s, %s]", what, way, choose_style(i));
    const double ns =
        time_rounds(&(struct TimedTask){run, bytes, processes, source, target, bytes, gathered});
    if (me == 0) report(name, bytes, ns, "ns");
  }
}

int main(int argc, char** arguments) {
  rounds_begin(read_options(argc, arguments));
  lines = share(sizeof *lines * (size_t)(processes * (processes + 1)));
  const size_t room = (most_bytes * (size_t)processes + pair_bytes - 1) / pair_bytes * pair_bytes;
  char *sources = share(pair_bytes * (size_t)processes), *targets = share(room * (size_t)processes);
  me = multiply(processes);
  source = sources + pair_bytes * me, target = targets + room * (size_t)me;
  for (size_t bytes = 8; bytes <= most_bytes; bytes *= 8) {
    measure_once("exchange once", "shown", exchange, bytes);
    measure_once("exchange once", "delivered", deliver, bytes);
    measure_once("announce once", "shown", announce, bytes);
  }
  return finish();
}
