// Fills the borders with the neighbours' edges: by messages, or straight out of the neighbours' memory.
// SPDX-License-Identifier: BSD-3-Clause
//
// Why one synchronisation a step is enough: there are two grids. What I overwrite in the next step my
// neighbours read in the step before this one, and they have told me since then (by fence or post) that they
// are further.
#include <sched.h>
#include <string.h>

#include "grid.h"

static int post_messages(const Plate* plate, int which, int side, MPI_Request* requests) {
  const int peer = plate->neighbour[side], count = (int)length(&plate->mine, side);
  MPI_Irecv(plate->share.border[side], count, MPI_DOUBLE, peer, side ^ 1, plate->comm, &requests[0]);
  MPI_Isend(plate->share.edge[which][side], count, MPI_DOUBLE, peer, side, plate->comm, &requests[1]);
  return 2;
}

static int is_here(const Plate* plate, int side) { return plate->here[side] != MPI_UNDEFINED; }

static int is_away(const Plate* plate, int side) {
  return plate->neighbour[side] != MPI_PROC_NULL && !is_here(plate, side);
}

static void copy_border(const Plate* plate, int which, int side) {
  memcpy(plate->share.border[side], plate->peer[side].edge[which][side ^ 1],
         length(&plate->mine, side) * sizeof(double));
}

static void post_flags(const Plate* plate) {
  for (int side = 0; side < kSides; side++)
    if (is_here(plate, side)) atrium_window_post(plate->window, plate->here[side]);
}

enum { kFetched = 512 };  // cells; a longer strip the processor follows by itself

// Asks for what will be read, so that it comes while I wait for the flag.
static void fetch_edges(const Plate* plate, int which) {
  for (int side = 0; side < kSides; side++) {
    if (!is_here(plate, side)) continue;
    const double* edge = plate->peer[side].edge[which][side ^ 1];
    const size_t cells = length(&plate->mine, side);
    for (size_t at = 0; at < cells && at < kFetched; at += 8) __builtin_prefetch(edge + at);
  }
}

static void announce(const Plate* plate, int which) {
  if (plate->way == kFlags) post_flags(plate);
  fetch_edges(plate, which);
  if (plate->way == kFence) atrium_window_fence(plate->window);
}

static void copy_borders(const Plate* plate, int which) {
  for (int side = 0; side < kSides; side++) {
    if (!is_here(plate, side)) continue;
    if (plate->way == kFlags) atrium_window_wait(plate->window, plate->here[side]);
    copy_border(plate, which, side);
  }
}

enum { kLooks = 10000 };  // and then the other one has no CPU

static void raise_flags(const Plate* plate) {
  for (int side = 0; side < kSides; side++)
    if (is_here(plate, side))
      atomic_store_explicit(plate->share.flag[side], plate->exchanges,
                            memory_order_release);  // SYNC heat2d-flag
}

static void copy_behind_flags(const Plate* plate, int which) {
  for (int side = 0; side < kSides; side++) {
    if (!is_here(plate, side)) continue;
    _Atomic uint64_t* flag = plate->peer[side].flag[side ^ 1];
    for (int looks = 0; atomic_load_explicit(flag, memory_order_acquire) < plate->exchanges;
         looks++)  // SYNC heat2d-flag
      if (looks > kLooks) sched_yield();
    copy_border(plate, which, side);
  }
}

// What no exchange through this memory can do without, to measure the others against: a store, a load and the
// neighbour's cells. Where ranks share a CPU: the cells, and one hand-over of the CPU in two steps, since no
// rank gets further ahead of its neighbour; nobody waits, so what it computes there is wrong.
static void exchange_least(Plate* plate, int which) {
  plate->exchanges++;
  if (!plate->crowded) raise_flags(plate);
  fetch_edges(plate, which);
  if (!plate->crowded) {
    copy_behind_flags(plate, which);
  } else {
    if (which) sched_yield();
    copy_borders(plate, which);
  }
}

void exchange(Plate* plate, int which) {
  MPI_Request requests[2 * kSides];
  MPI_Status statuses[2 * kSides];
  int count = 0;
  if (plate->way == kLeast) exchange_least(plate, which);
  if (plate->way >= kLeast) return;
  if (plate->window != NULL) announce(plate, which);
  for (int side = 0; side < kSides; side++)
    if (is_away(plate, side)) count += post_messages(plate, which, side, requests + count);
  if (plate->window != NULL) copy_borders(plate, which);
  if (count > 0) MPI_Waitall(count, requests, statuses);
}
