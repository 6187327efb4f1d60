// How long does a wait spin before it gives its CPU away? Asks of a window of three ranks that is nowhere but here.
// SPDX-License-Identifier: BSD-3-Clause
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include "window.h"

enum { kRanks = 3, kSpins = 400 };

static int failures;

static void expect(const char* what, int got, int wanted) {
  if (got == wanted) return;
  failures++;
  printf("%s: %d spins instead of %d\n", what, got, wanted);
}

static void put(const atrium_window* window, int rank, int cpu) {
  atomic_store(&window->control->slots[rank].cpu, (uint64_t)(cpu + 1));
}

static int stay_on_this_cpu(void) {
  const int here = sched_getcpu();
  cpu_set_t only;
  CPU_ZERO(&only);
  if (here < 0) return -1;
  CPU_SET(here, &only);
  return sched_setaffinity(0, sizeof only, &only) == 0 ? here : -1;
}

int main(void) {
  const int here = stay_on_this_cpu();
  if (here < 0) {
    printf("this process cannot be kept on one CPU\n");
    return 77;
  }
  void* control;
  if (posix_memalign(&control, kLine, sizeof(Control) + kRanks * sizeof(RankSlot)) != 0) return 2;
  atrium_window window = {.rank = 0, .size = kRanks, .control = control, .spins = kSpins};
  for (int rank = 0; rank < kRanks; rank++) put(&window, rank, -1);
  expect("nobody has said where it runs", spins_for(&window, 1), kSpins);
  expect("nobody has said where it runs, a barrier", spins_for(&window, kRanks), kSpins);
  say_awaited(&window, 1, 0);
  put(&window, 1, here + 1);
  put(&window, 2, here);
  expect("the awaited rank runs elsewhere", spins_for(&window, 1), kSpins);
  expect("the awaited rank runs here", spins_for(&window, 2), 0);
  expect("one of those that a barrier waits for runs here", spins_for(&window, kRanks), 0);
  put(&window, 2, here + 1);
  expect("only I run here", spins_for(&window, kRanks), kSpins);
  if (atomic_load(&window.control->slots[0].cpu) != (uint64_t)(here + 1)) {
    failures++;
    printf("a rank that has a CPU to itself does not say on which one it waits\n");
  }
  free(control);
  return failures != 0;
}
