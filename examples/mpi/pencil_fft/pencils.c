/* Who has which part of the array.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "pencils.h"

#include <stdlib.h>

struct Grid make_grid(const int* extent, int rows, int columns) {
  struct Grid grid = {{extent[0], extent[1], extent[2]}, rows, columns, 0, 0, MPI_COMM_NULL, MPI_COMM_NULL};
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  grid.row = rank / columns;
  grid.column = rank % columns;
  MPI_Comm_split(MPI_COMM_WORLD, grid.column, grid.row, &grid.same_column);
  MPI_Comm_split(MPI_COMM_WORLD, grid.row, grid.column, &grid.same_row);
  return grid;
}

void free_grid(struct Grid* grid) {
  MPI_Comm_free(&grid->same_column);
  MPI_Comm_free(&grid->same_row);
}

/* Part number `part` of `parts` of a length; they differ by one at most, and are empty where there are more
 * parts than length. */
static void cut(struct Box* box, enum Axis axis, int part, int parts) {
  const long length = box->end[axis];
  box->start[axis] = (int)(length * part / parts);
  box->end[axis] = (int)(length * (part + 1) / parts);
}

struct Box box_along(const struct Grid* grid, enum Axis axis, int row, int column) {
  struct Box box = {{0, 0, 0}, {grid->extent[0], grid->extent[1], grid->extent[2]}};
  cut(&box, axis == axis_x ? axis_y : axis_x, row, grid->rows);
  cut(&box, axis == axis_z ? axis_y : axis_z, column, grid->columns);
  return box;
}

ptrdiff_t volume(const struct Box* box) {
  ptrdiff_t product = 1;
  for (int axis = 0; axis < axes; axis++)
    product *= box->end[axis] > box->start[axis] ? box->end[axis] - box->start[axis] : 0;
  return product;
}

struct Pencil make_pencil(const struct Grid* grid, enum Axis axis) {
  struct Pencil pencil = {box_along(grid, axis, grid->row, grid->column), {0, 0, 0}, NULL};
  ptrdiff_t stride = grid->extent[axis];
  pencil.stride[axis] = 1;
  for (int other = 0; other < axes; other++) {
    if (other == (int)axis) continue;
    pencil.stride[other] = stride;
    stride *= pencil.box.end[other] - pencil.box.start[other];
  }
  pencil.data = malloc((volume(&pencil.box) + 1) * sizeof(Number));
  if (!pencil.data) MPI_Abort(MPI_COMM_WORLD, 1);
  return pencil;
}
