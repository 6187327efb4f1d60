/* How a process that waits for another one of its machine spends the time: it spins, then yields, then naps.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * For both parts of Atrium for MPI (mpi/wait, mpi/window) and for the tools (interpose/spin_lock, race/openshmem/meeting). What a
 * part knows of whom it waits for decides whether it spins at all; how long, and what comes afterwards, is here. The library's
 * PEs, which wake each other, have a wait of their own (src/wait), and shnode leaves long waits to the OpenSHMEM below it. */
#ifndef ATRIUM_WAITING_H
#define ATRIUM_WAITING_H

#include <sched.h>
#include <time.h>

#include "atrium_machine.h"

enum {
  atrium_spin_ns_alone = 25000, /* with a processor to itself: longer than a message on a node takes */
  atrium_spin_ns_shared =
      1000, /* where who is waited for runs on another one: what giving up the processor costs */
  atrium_yields_per_look =
      64, /* a yield takes 0.5 to 2 us: a look every 30 to 100 us, at the price of a percent */
  /* 1 to 2 ms, longer than any other process's turn: who waits longer waits for work, not for a turn. */
  atrium_yields_before_naps = 1024,
  atrium_shortest_nap_ns = 20000,
  atrium_longest_nap_ns = 1000000
};

/* A pause takes 3 to 60 ns, by the processor. The shortest of several rounds: what disturbs one makes it longer. */
static inline double atrium_nanoseconds_of_a_pause(void) {
  const int rounds = 8, pauses = 64;
  int64_t shortest = INT64_MAX;
  for (int round = 0; round < rounds; round++) {
    const int64_t begin = atrium_now_ns();
    for (int each = 0; each < pauses; each++) atrium_pause();
    const int64_t taken = atrium_now_ns() - begin;
    if (taken < shortest) shortest = taken;
  }
  return shortest > pauses ? (double)shortest / pauses : 1.0;
}

static inline int atrium_spins_that_take(double nanoseconds) {
  return (int)(nanoseconds / atrium_nanoseconds_of_a_pause());
}

/* A wait after its spins. Begins with zeros. */
typedef struct {
  unsigned yields;
  int64_t since_ns;
} atrium_waiting;

/* A thirty-second of the time waited so far: naps add at most 3 % to a long wait and free the processor. */
static inline void atrium_nap(const atrium_waiting* waiting) {
  const int64_t share = (atrium_now_ns() - waiting->since_ns) / 32;
  const int64_t least = atrium_shortest_nap_ns, most = atrium_longest_nap_ns;
  const struct timespec nap = {0, (long)(share < least ? least : share > most ? most : share)};
  nanosleep(&nap, NULL);
}

/* Gives the processor away once. True: it is time to look after what costs more than the word that is waited for, the MPI's
 * progress above all, since others may wait for this rank's messages. */
static inline int atrium_give_way(atrium_waiting* waiting) {
  if (waiting->yields == 0) waiting->since_ns = atrium_now_ns();
  if (waiting->yields == atrium_yields_before_naps) {
    atrium_nap(waiting);
    return 1;
  }
  sched_yield();
  return ++waiting->yields % atrium_yields_per_look == 0;
}

#endif
