// Cuts the plate into rectangles, and places each rank's grids in its own memory or in a node window.
// SPDX-License-Identifier: BSD-3-Clause
#include <stdint.h>
#include <stdlib.h>

#include "grid.h"

static size_t share(size_t total, int parts, int part) { return total * (size_t)part / (size_t)parts; }

static Shape shape_at(size_t size, const int* dims, const int* at) {
  Shape shape = {.first_row = share(size, dims[0], at[0]), .first_column = share(size, dims[1], at[1])};
  shape.rows = share(size, dims[0], at[0] + 1) - shape.first_row;
  shape.columns = share(size, dims[1], at[1] + 1) - shape.first_column;
  return shape;
}

static void meet_neighbours(Plate* plate, size_t size, const int* dims) {
  MPI_Cart_shift(plate->comm, 0, 1, &plate->neighbour[kNorth], &plate->neighbour[kSouth]);
  MPI_Cart_shift(plate->comm, 1, 1, &plate->neighbour[kWest], &plate->neighbour[kEast]);
  for (int side = 0; side < kSides; side++) {
    int at[2];
    if (plate->neighbour[side] == MPI_PROC_NULL) continue;
    MPI_Cart_coords(plate->comm, plate->neighbour[side], 2, at);
    plate->its[side] = shape_at(size, dims, at);
  }
}

void cut_plate(Plate* plate, size_t size) {
  int ranks, rank, dims[2] = {0, 0}, periods[2] = {0, 0}, at[2];
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Dims_create(ranks, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &plate->comm);
  MPI_Comm_rank(plate->comm, &rank);
  MPI_Cart_coords(plate->comm, rank, 2, at);
  plate->mine = shape_at(size, dims, at);
  meet_neighbours(plate, size, dims);
  MPI_Type_vector((int)plate->mine.rows, 1, (int)width(&plate->mine), MPI_DOUBLE, &plate->column);
  MPI_Type_commit(&plate->column);
}

static void place_in_window(Plate* plate, atrium_window_layout layout) {
  const atrium_window_options options = {.layout = layout, .name = "heat2d"};
  atrium_window_create(plate->comm, cells_in_window(&plate->mine) * sizeof(double), &options, &plate->window);
  plate->grid[0] = atrium_window_mine(plate->window);
  for (int side = 0; side < kSides; side++) {
    if (plate->neighbour[side] == MPI_PROC_NULL) continue;
    plate->here[side] = atrium_window_rank_of(plate->window, plate->neighbour[side]);
    if (plate->here[side] != MPI_UNDEFINED)
      atrium_window_part(plate->window, plate->here[side], &plate->peer[side], NULL);
  }
}

void place_grids(Plate* plate, int way, atrium_window_layout layout) {
  plate->way = way;
  plate->window = NULL;
  plate->exchanges = 0;
  for (int side = 0; side < kSides; side++) plate->here[side] = MPI_UNDEFINED;
  if (way != kMessages && way != kNothing)
    place_in_window(plate, layout);
  else if (posix_memalign((void**)&plate->grid[0], 4096, 2 * cells(&plate->mine) * sizeof(double)) != 0)
    MPI_Abort(plate->comm, 1);
  plate->grid[1] = plate->grid[0] + cells(&plate->mine);
}

void release_grids(Plate* plate) {
  if (plate->window != NULL)
    atrium_window_free(&plate->window);
  else
    free(plate->grid[0]);
  MPI_Type_free(&plate->column);
  MPI_Comm_free(&plate->comm);
}
