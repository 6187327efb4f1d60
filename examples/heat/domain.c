/* Which cells each PE owns: a grid of blocks, as square as the number of PEs allows.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "heat.h"

/* The first of `length` cells that belongs to part `part` of `parts`; the parts differ by one cell at most.
 */
static int begin_of(int part, int parts, int length) { return (int)((long)length * part / parts); }

static int size_of(int part, int parts, int length) {
  return begin_of(part + 1, parts, length) - begin_of(part, parts, length);
}

/* Cells that cross between blocks in one step, or -1 when the plate has too few cells for such a grid. */
static long halo_of(int columns, int rows, int width, int height) {
  if (columns > width || rows > height) return -1;
  return (long)(columns - 1) * height + (long)(rows - 1) * width;
}

/* The grid of exactly `pes` blocks with the fewest halo cells; columns 0 when there is none. */
static Domain choose_grid(int width, int height, int pes) {
  Domain best = {0};
  long fewest = -1;
  for (int columns = 1; columns <= pes; columns++) {
    if (pes % columns != 0) continue;
    long halo = halo_of(columns, pes / columns, width, height);
    if (halo < 0 || (fewest >= 0 && halo >= fewest)) continue;
    fewest = halo;
    best.columns = columns;
    best.rows = pes / columns;
  }
  return best;
}

static void find_neighbours(Domain* d, int column, int row, int me) {
  d->neighbour[NORTH] = row > 0 ? me - d->columns : -1;
  d->neighbour[SOUTH] = row < d->rows - 1 ? me + d->columns : -1;
  d->neighbour[WEST] = column > 0 ? me - 1 : -1;
  d->neighbour[EAST] = column < d->columns - 1 ? me + 1 : -1;
}

static void take_block(Domain* d, int width, int height, int column, int row) {
  d->x = begin_of(column, d->columns, width);
  d->y = begin_of(row, d->rows, height);
  d->width = size_of(column, d->columns, width);
  d->height = size_of(row, d->rows, height);
  if (row > 0) d->neighbour_height = size_of(row - 1, d->rows, height);
}

Domain divide(int width, int height, int pes, int me) {
  int used = pes; /* a plate of few cells may not be divisible among that many */
  Domain d = choose_grid(width, height, used);
  while (d.columns == 0) d = choose_grid(width, height, --used);
  d.max_width = (width + d.columns - 1) / d.columns;
  d.max_height = (height + d.rows - 1) / d.rows;
  if (me < used) {
    find_neighbours(&d, me % d.columns, me / d.columns, me);
    take_block(&d, width, height, me % d.columns, me / d.columns);
  } else {
    for (int side = 0; side < SIDES; side++) d.neighbour[side] = -1;
  }
  return d;
}
