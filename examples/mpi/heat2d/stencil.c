// The computation: the same for all ways of exchanging, which differ in where their memory lies.
// SPDX-License-Identifier: BSD-3-Clause
#include <math.h>

#include "grid.h"

// Counted over the whole plate, whose ends are -1 and its size. Some hills; the ends stay as cold as this.
double first_heat(const Shape* mine, ptrdiff_t row, ptrdiff_t column) {
  const double y = (double)((ptrdiff_t)mine->first_row + row + 1);
  const double x = (double)((ptrdiff_t)mine->first_column + column + 1);
  return sin(0.05 * x) * cos(0.07 * y) + 0.001 * x;
}

void heat_up(Plate* plate) {
  const Shape* mine = &plate->mine;
  const ptrdiff_t rows = (ptrdiff_t)mine->rows, columns = (ptrdiff_t)mine->columns;
  for (ptrdiff_t row = 0; row < rows; row++)
    for (ptrdiff_t column = 0; column < columns; column++)
      plate->share.grid[0][row * columns + column] = first_heat(mine, row, column);
  for (ptrdiff_t row = 0; row < rows; row++) {
    plate->share.border[kWest][row] = first_heat(mine, row, -1);
    plate->share.border[kEast][row] = first_heat(mine, row, columns);
  }
  for (ptrdiff_t column = 0; column < columns; column++) {
    plate->share.border[kNorth][column] = first_heat(mine, -1, column);
    plate->share.border[kSouth][column] = first_heat(mine, rows, column);
  }
}

// At least one column.
static void step_row(const double* north, const double* here, const double* south, double west, double east,
                     double* restrict new, size_t columns) {
  const size_t last = columns - 1;
  new[0] = relax(here[0], north[0], south[0], west, last > 0 ? here[1] : east);
  for (size_t at = 1; at < last; at++)
    new[at] = relax(here[at], north[at], south[at], here[at - 1], here[at + 1]);
  if (last > 0) new[last] = relax(here[last], north[last], south[last], here[last - 1], east);
}

void step(const Plate* plate, int from) {
  const size_t rows = plate->mine.rows, columns = plate->mine.columns;
  const Share* share = &plate->share;
  for (size_t row = 0; row < rows; row++) {
    const double* here = share->grid[from] + row * columns;
    const double* north = row > 0 ? here - columns : share->border[kNorth];
    const double* south = row + 1 < rows ? here + columns : share->border[kSouth];
    double* new = share->grid[1 - from] + row* columns;
    step_row(north, here, south, share->border[kWest][row], share->border[kEast][row], new, columns);
    share->edge[1 - from][kWest][row] = new[0];
    share->edge[1 - from][kEast][row] = new[columns - 1];
  }
}
