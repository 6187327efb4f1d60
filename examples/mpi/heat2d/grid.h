// One rank's share of a two-dimensional heat problem: its place among the ranks, its two grids, and how they
// are exchanged. SPDX-License-Identifier: BSD-3-Clause
#ifndef EXAMPLES_MPI_HEAT2D_GRID_H
#define EXAMPLES_MPI_HEAT2D_GRID_H

#include <mpi.h>
#include <stddef.h>

#include "atrium/node_window.h"

enum { kNorth, kSouth, kWest, kEast, kSides };
enum { kMessages, kFence, kFlags, kWays };

// A grid has a border of one cell, which holds the neighbours' cells or the edge of the plate: row 0 and row
// `rows` + 1, column 0 and column `columns` + 1.
typedef struct {
  size_t rows, columns, first_row, first_column;
} Shape;

static inline size_t width(const Shape* shape) { return shape->columns + 2; }
static inline size_t cells(const Shape* shape) { return (shape->rows + 2) * width(shape); }

typedef struct {
  MPI_Comm comm;  // Cartesian
  int neighbour[kSides];
  Shape mine, its[kSides];
  MPI_Datatype column;
  int way;
  atrium_window* window;  // NULL when everything goes by messages
  int here[kSides];       // the neighbour's rank in the window, or MPI_UNDEFINED
  double* grid[2];        // used in turn
  double* peer[kSides];   // the neighbour's first grid, its second follows
} Plate;

void cut_plate(Plate* plate, size_t size);
void place_grids(Plate* plate, int way, atrium_window_layout layout);
void release_grids(Plate* plate);
void exchange(Plate* plate, int which);

#endif
