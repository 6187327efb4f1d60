// Programs on the MPI's own windows of shared memory, as two publications describe them, unchanged by anything of ours: behind
// Atrium for MPI they have the results of one process. Written after the descriptions; no line of theirs is here.
// SPDX-License-Identifier: BSD-3-Clause
//
//   stencil   Hoefler and others, MPI + MPI (2013), section 5.3: halos read in place, a fence between two steps
//   table     the same, section 5.2: one process of a node fills a table, all read it
//   ring      Intel, MPI-3 shared memory: lock_all, sync and MPI_Barrier; both neighbours are read in place
#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"

static MPI_Comm node;
static int rank, size;

static void* part_of(MPI_Win window, int owner) {
  MPI_Aint bytes;
  int unit;
  void* part = NULL;
  MPI_Win_shared_query(window, owner, &bytes, &unit, &part);
  return part;
}

// ---- Stencil: rows of a plate, each rank has some ----

enum { columns = 34, rows_per_rank = 5, steps = 40 };

static double at_first(int row, int column) { return row % 7 == 0 ? 100.0 - column : 0.5 * row; }

static double five_points(const double* above, const double* here, const double* below, int column) {
  return 0.2 * (here[column] + here[column - 1] + here[column + 1] + above[column] + below[column]);
}

// The whole plate in one process: rows -1 and `rows` stay as they are, as do the first and last column.
static double* whole_plate(int rows) {
  double* plate[2];
  for (int each = 0; each < 2; each++) {
    plate[each] = malloc((size_t)(rows + 2) * columns * sizeof(double));
    for (int i = 0; i < (rows + 2) * columns; i++) plate[each][i] = at_first(i / columns - 1, i % columns);
  }
  for (int step = 0; step < steps; step++)
    for (int row = 1; row <= rows; row++)
      for (int column = 1; column < columns - 1; column++) {
        const double* here = plate[step % 2] + row * columns;
        plate[(step + 1) % 2][row * columns + column] =
            five_points(here - columns, here, here + columns, column);
      }
  free(plate[1 - steps % 2]);
  return plate[steps % 2];
}

// A rank's rows for even and odd steps lie behind each other in its part; the halos are its neighbours' rows themselves.
static void stencil(void) {
  enum { area = rows_per_rank * columns };
  const int rows = size * rows_per_rank, first = rank * rows_per_rank;
  double *mine, *edge[2] = {malloc(columns * sizeof(double)), malloc(columns * sizeof(double))};
  MPI_Win window;
  MPI_Win_allocate_shared(2 * area * (MPI_Aint)sizeof(double), sizeof(double), MPI_INFO_NULL, node, &mine,
                          &window);
  for (int i = 0; i < 2 * area; i++) mine[i] = at_first(first + i % area / columns, i % columns);
  for (int i = 0; i < columns; i++) edge[0][i] = at_first(-1, i), edge[1][i] = at_first(rows, i);
  const double *above = rank > 0 ? part_of(window, rank - 1) : NULL,
               *below = rank < size - 1 ? part_of(window, rank + 1) : NULL;
  MPI_Win_fence(0, window);
  for (int step = 0; step < steps; step++) {
    const double* from = mine + step % 2 * area;
    for (int row = 0; row < rows_per_rank; row++) {
      const double* upper = row > 0 ? from + (row - 1) * columns
                            : above ? above + step % 2 * area + area - columns
                                    : edge[0];
      const double* lower = row < rows_per_rank - 1 ? from + (row + 1) * columns
                            : below                 ? below + step % 2 * area
                                                    : edge[1];
      for (int column = 1; column < columns - 1; column++)
        mine[(step + 1) % 2 * area + row * columns + column] =
            five_points(upper, from + row * columns, lower, column);
    }
    MPI_Win_fence(0, window);
  }
  double* whole = whole_plate(rows);
  EXPECT(memcmp(mine + steps % 2 * area, whole + (first + 1) * columns, area * sizeof(double)) == 0);
  free(whole), free(edge[0]), free(edge[1]);
  MPI_Win_free(&window);
}

// ---- Table: one per node ----

static void table(void) {
  enum { entries = 5000 };
  double* mine;
  MPI_Win window;
  const MPI_Aint bytes = rank == 0 ? entries * (MPI_Aint)sizeof(double) : 0;
  MPI_Win_allocate_shared(bytes, sizeof(double), MPI_INFO_NULL, node, &mine, &window);
  double* all = part_of(window, 0);
  MPI_Win_fence(0, window);
  for (int i = 0; rank == 0 && i < entries; i++) all[i] = 1.0 / (1 + i);
  MPI_Win_fence(0, window);
  double sum = 0, expected = 0, total;
  for (int i = rank; i < entries; i += size) sum += all[i];
  MPI_Allreduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, node);
  for (int i = 0; i < entries; i++) expected += 1.0 / (1 + i);
  EXPECT(fabs(total - expected) < 1e-9);
  MPI_Win_free(&window);
}

// ---- Ring: a half of each element and a quarter of each neighbour's ----

enum { elements = 3000, rounds = 30 };

static double* whole_ring(void) {
  double* ring[2] = {malloc((size_t)size * elements * sizeof(double)),
                     malloc((size_t)size * elements * sizeof(double))};
  for (int i = 0; i < size * elements; i++) ring[0][i] = i / elements + 1.0 / (1 + i % elements);
  for (int round = 0; round < rounds; round++)
    for (int i = 0; i < size * elements; i++) {
      const int owner = i / elements, place = i % elements;
      const double *from = ring[round % 2], *left = from + (owner + size - 1) % size * elements;
      const double* right = from + (owner + 1) % size * elements;
      ring[(round + 1) % 2][i] = 0.5 * from[i] + 0.25 * left[place] + 0.25 * right[place];
    }
  free(ring[1 - rounds % 2]);
  return ring[rounds % 2];
}

static void meet(MPI_Win window) {
  MPI_Win_sync(window);
  MPI_Barrier(node);
  MPI_Win_sync(window);
}

static void ring(void) {
  double* mine;
  MPI_Info info;
  MPI_Win window;
  MPI_Info_create(&info);
  MPI_Info_set(info, "alloc_shared_noncontig", "true");
  MPI_Win_allocate_shared(2 * elements * (MPI_Aint)sizeof(double), sizeof(double), info, node, &mine,
                          &window);
  MPI_Info_free(&info);
  const double *left = part_of(window, (rank + size - 1) % size), *right = part_of(window, (rank + 1) % size);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
  for (int i = 0; i < elements; i++) mine[i] = rank + 1.0 / (1 + i);
  meet(window);
  for (int round = 0; round < rounds; round++) {
    const int from = round % 2 * elements, to = elements - from;
    for (int i = 0; i < elements; i++)
      mine[to + i] = 0.5 * mine[from + i] + 0.25 * left[from + i] + 0.25 * right[from + i];
    meet(window);
  }
  MPI_Win_unlock_all(window);
  double* whole = whole_ring();
  EXPECT(memcmp(mine + rounds % 2 * elements, whole + rank * elements, elements * sizeof(double)) == 0);
  free(whole);
  MPI_Win_free(&window);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_rank(node, &rank), MPI_Comm_size(node, &size);
  stencil();
  table();
  ring();
  MPI_Comm_free(&node);
  return finish();
}
