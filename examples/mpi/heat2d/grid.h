// One rank's share of a two-dimensional heat problem: its place among the ranks, its two grids, and how they
// are exchanged.
// SPDX-License-Identifier: BSD-3-Clause
#ifndef EXAMPLES_MPI_HEAT2D_GRID_H
#define EXAMPLES_MPI_HEAT2D_GRID_H

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

#include "atrium/node_window.h"

enum { kNorth, kSouth, kWest, kEast, kSides };
enum { kMessages, kFence, kFlags, kLeast, kNothing, kWays };  // the last two only to measure against

// A grid has a border of one cell, which holds the neighbours' cells or the edge of the plate: row 0 and row
// `rows` + 1, column 0 and column `columns` + 1.
typedef struct {
  size_t rows, columns, first_row, first_column;
} Shape;

static inline size_t width(const Shape* shape) { return shape->columns + 2; }
static inline size_t cells(const Shape* shape) { return (shape->rows + 2) * width(shape); }

// Behind its two grids a rank keeps their west and east columns once more, packed: read in the grid, every
// cell of a column would take a cache line away from its owner. Counted from the first grid.
static inline size_t packed(const Shape* shape, int which, int side) {
  const size_t whole_lines = (shape->rows + 7) / 8 * 8, begin = (2 * cells(shape) + 7) / 8 * 8;
  return begin + (size_t)(2 * which + (side == kEast)) * whole_lines;
}
// Behind those a line for each side, with a flag for who exchanges by hand.
static inline size_t flag_at(const Shape* shape, int side) {
  return packed(shape, 2, kWest) + 8 * (size_t)side;
}
static inline size_t cells_in_window(const Shape* shape) { return flag_at(shape, kSides); }

typedef struct {
  MPI_Comm comm;  // Cartesian
  int neighbour[kSides];
  Shape mine, its[kSides];
  MPI_Datatype column;
  int way;
  int crowded;            // more ranks than CPUs
  uint64_t exchanges;     // by hand
  atrium_window* window;  // NULL when everything goes by messages
  int here[kSides];       // the neighbour's rank in the window, or MPI_UNDEFINED
  double* grid[2];        // used in turn
  double* peer[kSides];   // the neighbour's first grid; the rest follows
} Plate;

void cut_plate(Plate* plate, size_t size);
void place_grids(Plate* plate, int way, atrium_window_layout layout);
void release_grids(Plate* plate);
void exchange(Plate* plate, int which);

#endif
