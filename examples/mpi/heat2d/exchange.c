// Fills the border of a grid with the neighbours' cells: by messages, or straight out of the neighbours'
// grids.
// SPDX-License-Identifier: BSD-3-Clause
//
// Why one synchronisation a step is enough: there are two grids. What I overwrite in the next step my
// neighbours read in the step before this one, and they have told me since then (by fence or post) that they
// are further.
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "grid.h"

typedef struct {
  double* cells;
  int count;
  MPI_Datatype type;
} Strip;

static int is_row(int side) { return side == kNorth || side == kSouth; }

// The strip of my own cells at a side (inside), or of the border beyond it.
static Strip strip_of(const Plate* plate, int which, int side, int border) {
  const Shape* mine = &plate->mine;
  double* grid = plate->grid[which];
  const size_t row = side == kSouth ? mine->rows + (border != 0) : (side == kNorth && border ? 0 : 1);
  const size_t column = side == kEast ? mine->columns + (border != 0) : (side == kWest && border ? 0 : 1);
  return (Strip){grid + row * width(mine) + column, is_row(side) ? (int)mine->columns : 1,
                 is_row(side) ? MPI_DOUBLE : plate->column};
}

static int post_messages(const Plate* plate, int which, int side, MPI_Request* requests) {
  const int peer = plate->neighbour[side];
  const Strip out = strip_of(plate, which, side, 0), in = strip_of(plate, which, side, 1);
  MPI_Irecv(in.cells, in.count, in.type, peer, side ^ 1, plate->comm, &requests[0]);
  MPI_Isend(out.cells, out.count, out.type, peer, side, plate->comm, &requests[1]);
  return 2;
}

static int is_here(const Plate* plate, int side) {
  return plate->neighbour[side] != MPI_PROC_NULL && plate->here[side] != MPI_UNDEFINED;
}

static int is_away(const Plate* plate, int side) {
  return plate->neighbour[side] != MPI_PROC_NULL && plate->here[side] == MPI_UNDEFINED;
}

static void pack(const Plate* plate, int which, int side) {
  const double* from = strip_of(plate, which, side, 0).cells;
  double* to = plate->grid[0] + packed(&plate->mine, which, side);
  for (size_t at = 0; at < plate->mine.rows; at++) to[at] = from[at * width(&plate->mine)];
}

// The neighbour's row or column that touches me.
static void copy_border(const Plate* plate, int which, int side) {
  const Shape *its = &plate->its[side], *mine = &plate->mine;
  const double *peer = plate->peer[side], *column = peer + packed(its, which, side ^ 1);
  const double* row = peer + (which ? cells(its) : 0) + (side == kNorth ? its->rows : 1) * width(its) + 1;
  double* border = strip_of(plate, which, side, 1).cells;
  if (is_row(side))
    memcpy(border, row, mine->columns * sizeof *border);
  else
    for (size_t at = 0; at < mine->rows; at++) border[at * width(mine)] = column[at];
}

static void pack_columns(const Plate* plate, int which) {
  for (int side = 0; side < kSides; side++)
    if (is_here(plate, side) && !is_row(side)) pack(plate, which, side);
}

static void announce(const Plate* plate, int which) {
  pack_columns(plate, which);
  if (plate->way == kFence) atrium_window_fence(plate->window);
  for (int side = 0; plate->way == kFlags && side < kSides; side++)
    if (is_here(plate, side)) atrium_window_post(plate->window, plate->here[side]);
}

static void copy_borders(const Plate* plate, int which) {
  for (int side = 0; side < kSides; side++) {
    if (!is_here(plate, side)) continue;
    if (plate->way == kFlags) atrium_window_wait(plate->window, plate->here[side]);
    copy_border(plate, which, side);
  }
}

enum { kLooks = 10000 };  // and then the other one has no CPU

static _Atomic uint64_t* flag_of(double* grids, const Shape* shape, int side) {
  return (_Atomic uint64_t*)(grids + flag_at(shape, side));
}

static void raise_flags(const Plate* plate) {
  for (int side = 0; side < kSides; side++)
    if (is_here(plate, side))
      atomic_store_explicit(flag_of(plate->grid[0], &plate->mine, side), plate->exchanges,
                            memory_order_release);  // SYNC heat2d-flag
}

static void copy_behind_flags(const Plate* plate, int which) {
  for (int side = 0; side < kSides; side++) {
    if (!is_here(plate, side)) continue;
    _Atomic uint64_t* flag = flag_of(plate->peer[side], &plate->its[side], side ^ 1);
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
  pack_columns(plate, which);
  plate->exchanges++;
  if (!plate->crowded) {
    raise_flags(plate);
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
