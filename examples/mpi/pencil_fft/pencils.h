/* A three-dimensional array spread over a grid of ranks as pencils: whole along one axis, cut along the two
 * others.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef PENCILS_H
#define PENCILS_H

#include <complex.h>
#include <mpi.h>
#include <stddef.h>

typedef double complex Number;
enum Axis { axis_x, axis_y, axis_z, axes };

/* The part of the array that a rank has: start <= index < end along each axis. */
struct Box {
  int start[axes], end[axes];
};

/* A box in memory, contiguous along the axis that is whole. */
struct Pencil {
  struct Box box;
  ptrdiff_t stride[axes];
  Number* data;
};

/* The ranks are rows x columns; rank = row * columns + column. */
struct Grid {
  int extent[axes];
  int rows, columns, row, column;
  MPI_Comm same_column, same_row; /* those that differ from me in the row; in the column */
};

/* What a transposition calls: MPI_Alltoallv or PMPI_Alltoallv. */
typedef int Exchange(const void*, const int*, const int*, MPI_Datatype, void*, const int*, const int*,
                     MPI_Datatype, MPI_Comm);

/* Requires: rows * columns ranks in MPI_COMM_WORLD. */
struct Grid make_grid(const int* extent, int rows, int columns);
void free_grid(struct Grid* grid);

/* The pencils along x are cut in y by rows and in z by columns; along y: x by rows, z by columns; along z: x
 * by rows, y by columns. */
struct Box box_along(const struct Grid* grid, enum Axis axis, int row, int column);
struct Pencil make_pencil(const struct Grid* grid, enum Axis axis);
ptrdiff_t volume(const struct Box* box);

/* What goes to whom between pencils along x and y, or along y and z, in either direction; used for any number
 * of transpositions. */
struct Parcels;
struct Parcels* plan_transpose(const struct Grid* grid, enum Axis from, enum Axis to);
void transpose(struct Parcels* parcels, const struct Pencil* from, const struct Pencil* to,
               Exchange* exchange);
void free_plan(struct Parcels* parcels);

#endif
