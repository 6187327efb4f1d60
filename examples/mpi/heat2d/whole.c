// The plate in one piece, by a plain loop: what it must come to however it is cut, bit for bit.
// SPDX-License-Identifier: BSD-3-Clause
#include <stdlib.h>
#include <string.h>

#include "grid.h"

// With its ends, which no step changes.
static void heat_up_whole(double* grid, size_t size) {
  const Shape whole = {.rows = size, .columns = size};
  const ptrdiff_t end = (ptrdiff_t)size;
  for (ptrdiff_t row = -1; row <= end; row++)
    for (ptrdiff_t column = -1; column <= end; column++) *grid++ = first_heat(&whole, row, column);
}

static void step_whole(const double* from, double* to, size_t size) {
  const size_t width = size + 2;
  for (size_t row = 1; row <= size; row++)
    for (size_t at = row * width + 1; at <= row * width + size; at++)
      to[at] = relax(from[at], from[at - width], from[at + width], from[at - 1], from[at + 1]);
}

static int equals_part(const Plate* plate, const double* whole, size_t size, int steps) {
  const Shape* mine = &plate->mine;
  for (size_t row = 0; row < mine->rows; row++)
    if (memcmp(plate->share.grid[steps % 2] + row * mine->columns,
               whole + (mine->first_row + row + 1) * (size + 2) + mine->first_column + 1,
               mine->columns * sizeof(double)) != 0)
      return 0;
  return 1;
}

// Every rank computes all of it, so that nothing is sent that could be wrong in the same way.
int equals_whole(const Plate* plate, size_t size, int steps) {
  const size_t cells = (size + 2) * (size + 2);
  double* grids = malloc(2 * cells * sizeof *grids);
  if (grids == NULL) MPI_Abort(plate->comm, 1);
  heat_up_whole(grids, size);
  heat_up_whole(grids + cells, size);
  for (int at = 0; at < steps; at++)
    step_whole(grids + (size_t)(at % 2) * cells, grids + (size_t)(1 - at % 2) * cells, size);
  const int equal = equals_part(plate, grids + (size_t)(steps % 2) * cells, size, steps);
  free(grids);
  return equal;
}
