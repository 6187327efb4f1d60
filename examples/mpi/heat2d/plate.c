// Cuts the plate into rectangles, and places each rank's share in its own memory or in a node window.
// SPDX-License-Identifier: BSD-3-Clause
#include <stdint.h>
#include <stdlib.h>

#include "grid.h"

static size_t part(size_t total, int parts, int at) { return total * (size_t)at / (size_t)parts; }

static Shape shape_at(size_t size, const int* dims, const int* at) {
  Shape shape = {.first_row = part(size, dims[0], at[0]), .first_column = part(size, dims[1], at[1])};
  shape.rows = part(size, dims[0], at[0] + 1) - shape.first_row;
  shape.columns = part(size, dims[1], at[1] + 1) - shape.first_column;
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

// The least plate of which every rank gets a cell. MPI gives the longest side of the grid of ranks first.
size_t least_size(void) {
  int ranks, dims[2] = {0, 0};
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Dims_create(ranks, 2, dims);
  return (size_t)dims[0];
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
}

enum { kLine = 64 };  // bytes

// Whole cache lines, so that no two strips share one.
static double* take(double** free, size_t cells) {
  double* taken = *free;
  *free += (cells + 7) / 8 * 8;
  return taken;
}

// A row's second cell, where vectors begin, begins a line: computation takes a tenth less (1000 x 1000).
static void divide_grid(Share* share, int which, const Shape* shape, double** free) {
  double* grid = take(free, 7 + shape->rows * shape->columns) + 7;
  share->grid[which] = grid;
  share->edge[which][kNorth] = grid;
  share->edge[which][kSouth] = grid + (shape->rows - 1) * shape->columns;
  share->edge[which][kWest] = take(free, shape->rows);
  share->edge[which][kEast] = take(free, shape->rows);
}

// Returns the number of cells; the same for whoever knows the shape, so that neighbours find their way.
static size_t divide(Share* share, const Shape* shape, double* memory) {
  double* free = (double*)(((uintptr_t)memory + kLine - 1) / kLine * kLine);
  for (int which = 0; which < 2; which++) divide_grid(share, which, shape, &free);
  for (int side = 0; side < kSides; side++) share->border[side] = take(&free, length(shape, side));
  for (int side = 0; side < kSides; side++) share->flag[side] = (_Atomic uint64_t*)take(&free, 1);
  return (size_t)(free - memory);
}

static void place_in_window(Plate* plate, size_t bytes, atrium_window_layout layout) {
  const atrium_window_options options = {.layout = layout, .name = "heat2d"};
  atrium_window_create(plate->comm, bytes, &options, &plate->window);
  plate->memory = atrium_window_mine(plate->window);
  for (int side = 0; side < kSides; side++) {
    double* its;
    if (plate->neighbour[side] == MPI_PROC_NULL) continue;
    plate->here[side] = atrium_window_rank_of(plate->window, plate->neighbour[side]);
    if (plate->here[side] == MPI_UNDEFINED) continue;
    atrium_window_part(plate->window, plate->here[side], &its, NULL);
    divide(&plate->peer[side], &plate->its[side], its);
  }
}

void place_grids(Plate* plate, int way, atrium_window_layout layout) {
  const size_t bytes = divide(&plate->share, &plate->mine, NULL) * sizeof(double) + kLine;
  plate->way = way;
  plate->window = NULL;
  plate->exchanges = 0;
  for (int side = 0; side < kSides; side++) plate->here[side] = MPI_UNDEFINED;
  if (way != kMessages && way != kNothing)
    place_in_window(plate, bytes, layout);
  else if (posix_memalign((void**)&plate->memory, 4096, bytes) != 0)
    MPI_Abort(plate->comm, 1);
  divide(&plate->share, &plate->mine, plate->memory);
}

void release_grids(Plate* plate) {
  if (plate->window != NULL)
    atrium_window_free(&plate->window);
  else
    free(plate->memory);
  MPI_Comm_free(&plate->comm);
}
