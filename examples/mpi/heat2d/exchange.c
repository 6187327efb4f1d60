// Fills the border of a grid with the neighbours' cells: by messages, or straight out of the neighbours'
// grids. SPDX-License-Identifier: BSD-3-Clause
//
// Why one synchronisation a step is enough: there are two grids. What I overwrite in the next step my
// neighbours read in the step before this one, and they have told me since then (by fence or post) that they
// are further.
#include <string.h>

#include "grid.h"

typedef struct {
  double* cells;
  int count;
  MPI_Datatype type;
} Strip;

// The strip of my own cells at a side (inside), or of the border beyond it.
static Strip strip_of(const Plate* plate, int which, int side, int border) {
  const Shape* mine = &plate->mine;
  double* grid = plate->grid[which];
  const size_t row = side == kSouth ? mine->rows + (border != 0) : (side == kNorth && border ? 0 : 1);
  const size_t column = side == kEast ? mine->columns + (border != 0) : (side == kWest && border ? 0 : 1);
  const int is_row = side == kNorth || side == kSouth;
  return (Strip){grid + row * width(mine) + column, is_row ? (int)mine->columns : 1,
                 is_row ? MPI_DOUBLE : plate->column};
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

// The neighbour's row or column that touches me.
static void copy_border(const Plate* plate, int which, int side) {
  const Shape *its = &plate->its[side], *mine = &plate->mine;
  const double* peer = plate->peer[side] + (which ? cells(its) : 0);
  double* border = strip_of(plate, which, side, 1).cells;
  const size_t row = side == kNorth ? its->rows : 1, column = side == kWest ? its->columns : 1;
  const double* from = peer + row * width(its) + column;
  if (side == kNorth || side == kSouth)
    memcpy(border, from, mine->columns * sizeof *border);
  else
    for (size_t at = 0; at < mine->rows; at++) border[at * width(mine)] = from[at * width(its)];
}

static void announce(const Plate* plate) {
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

void exchange(Plate* plate, int which) {
  MPI_Request requests[2 * kSides];
  MPI_Status statuses[2 * kSides];
  int count = 0;
  if (plate->window != NULL) announce(plate);
  for (int side = 0; side < kSides; side++)
    if (is_away(plate, side)) count += post_messages(plate, which, side, requests + count);
  if (plate->window != NULL) copy_borders(plate, which);
  if (count > 0) MPI_Waitall(count, requests, statuses);
}
