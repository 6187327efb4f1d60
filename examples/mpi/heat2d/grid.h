// One rank's share of a two-dimensional heat problem: its place among the ranks, its two grids, and how their
// edges are exchanged.
// SPDX-License-Identifier: BSD-3-Clause
#ifndef EXAMPLES_MPI_HEAT2D_GRID_H
#define EXAMPLES_MPI_HEAT2D_GRID_H

#include <mpi.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "atrium/node_window.h"

enum { kNorth, kSouth, kWest, kEast, kSides };
enum { kMessages, kFence, kFlags, kLeast, kNothing, kWays };  // the last two only to measure against

typedef struct {
  size_t rows, columns, first_row, first_column;
} Shape;

// What a neighbour needs and what I get from it are strips of contiguous cells: an edge is a grid's outermost
// row or column, a border the neighbour's edge that touches mine, or the end of the plate. Rows are edges where
// they are; columns are stored a second time as they are computed, since each of their cells in the grid lies
// in another cache line.
typedef struct {
  double *grid[2], *edge[2][kSides];  // used in turn
  double* border[kSides];
  _Atomic uint64_t* flag[kSides];  // for who exchanges by hand
} Share;

typedef struct {
  MPI_Comm comm;  // Cartesian
  int neighbour[kSides];
  Shape mine, its[kSides];
  int way;
  int crowded;            // more ranks than CPUs
  uint64_t exchanges;     // by hand
  atrium_window* window;  // NULL when everything goes by messages
  int here[kSides];       // the neighbour's rank in the window, or MPI_UNDEFINED
  double* memory;
  Share share, peer[kSides];
} Plate;

static inline size_t length(const Shape* shape, int side) {
  return side == kNorth || side == kSouth ? shape->columns : shape->rows;
}

static inline double relax(double here, double north, double south, double west, double east) {
  return here + 0.2 * (north + south + west + east - 4 * here);
}

size_t least_size(void);
void cut_plate(Plate* plate, size_t size);
void place_grids(Plate* plate, int way, atrium_window_layout layout);
void release_grids(Plate* plate);
double first_heat(const Shape* mine, ptrdiff_t row, ptrdiff_t column);
void heat_up(Plate* plate);
void step(const Plate* plate, int from);
void exchange(Plate* plate, int which);
int equals_whole(const Plate* plate, size_t size, int steps);

#endif
