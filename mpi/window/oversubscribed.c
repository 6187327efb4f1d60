// Notes where each rank runs and what it waits for, so that a waiting rank yields its CPU when another rank there can use it, and
// polls otherwise.
// SPDX-License-Identifier: BSD-3-Clause
//
// All of it is advice: what is out of date costs a yield too many or some looks in vain.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <sched.h>

#include "window.h"

static uint64_t get(_Atomic uint64_t* word) { return atomic_load_explicit(word, memory_order_relaxed); }
static void set(_Atomic uint64_t* word, uint64_t value) {
  atomic_store_explicit(word, value, memory_order_relaxed);
}

// Zero is for who has not said it yet. One to two nanoseconds, since the C library reads its own memory.
static uint64_t this_cpu(void) { return (uint64_t)(sched_getcpu() + 1); }

// Nobody takes it back: who has got what it said last can go on. The CPU, which all read at each look, is
// written only when it changes.
void say_awaited(const atrium_window* window, int from, uint32_t count) {
  RankSlot* slot = &window->control->slots[window->rank];
  const uint64_t here = this_cpu();
  if (get(&slot->cpu) != here) set(&slot->cpu, here);
  if (window->oversubscribed) set(&slot->awaited, (uint64_t)from << 32 | count);
}

static int can_go_on(const atrium_window* window, int rank) {
  const uint64_t awaited = get(&window->control->slots[rank].awaited);
  const int from = (int)(awaited >> 32);
  const uint32_t count = (uint32_t)awaited;
  return from == window->size ? has_met(&window->control->barrier, count)
                              : is_posted(window, from, rank, count);
}

int is_cpu_wanted(const atrium_window* window) {
  const uint64_t here = this_cpu();
  if (here == 0) return 0;  // the kernel does not say, which is no CPU that others could share
  for (int rank = 0; rank < window->size; rank++)
    if (rank != window->rank && get(&window->control->slots[rank].cpu) == here && can_go_on(window, rank))
      return 1;
  return 0;
}

static int runs_here(const atrium_window* window, int rank, uint64_t here) {
  return rank != window->rank && get(&window->control->slots[rank].cpu) == here;
}

// Spinning is in vain while who is waited for wants this CPU. That happens to ranks that have one each as well, when other
// programs run beside them.
int spins_for(const atrium_window* window, int from) {
  const uint64_t here = this_cpu();
  const int all = from == window->size, first = all ? 0 : from, end = all ? window->size : from + 1;
  if (window->oversubscribed || here == 0) return window->spins;  // is_cpu_wanted() is asked before each
  for (int rank = first; rank < end; rank++)
    if (runs_here(window, rank, here)) return 0;
  return window->spins;
}
