/* A block of cells and one step of time: the five-point stencil, with the conductivity of each face.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "heat.h"

void* allocate(size_t count, size_t size) {
  void* memory = calloc(count, size);
  if (memory == NULL) fail("no memory for %zu MiB; try a smaller --size", count * size >> 20);
  return memory;
}

size_t plate_cells(const Domain* domain) {
  return ((size_t)domain->max_width + 2) * ((size_t)domain->max_height + 2);
}

static bool is_on(const Scene* scene, int x, int y) {
  return x >= 0 && y >= 0 && x < scene->width && y < scene->height;
}

/* What the face between two cells lets pass in one step: nothing through the rim of the plate. */
static double face(const Scene* scene, int x, int y, int other_x, int other_y) {
  if (!is_on(scene, x, y) || !is_on(scene, other_x, other_y)) return 0;
  double a = conductivity(scene, x, y);
  double b = conductivity(scene, other_x, other_y);
  return a + b > 0 ? scene->unit * 2 * a * b / (a + b) : 0;
}

static void fill_row(const Scene* scene, const Plate* plate, int x, int y, int row) {
  for (int column = -1; column < plate->width; column++) {
    size_t at = (size_t)(row + 1) * plate->stride + (size_t)(column + 1);
    plate->right[at] = face(scene, x + column, y + row, x + column + 1, y + row);
    plate->below[at] = face(scene, x + column, y + row, x + column, y + row + 1);
    if (row >= 0 && column >= 0) plate->field[0][at] = initial_temperature(scene, x + column, y + row);
  }
}

Plate create_plate(const Scene* scene, const Domain* domain, double* fields) {
  size_t cells = plate_cells(domain);
  Plate plate = {.width = domain->width, .height = domain->height, .stride = (size_t)domain->max_width + 2};
  memset(fields, 0, 2 * cells * sizeof *fields);
  plate.field[0] = fields;
  plate.field[1] = fields + cells;
  plate.right = allocate(cells, sizeof(double));
  plate.below = allocate(cells, sizeof(double));
  for (int row = -1; row < plate.height; row++) fill_row(scene, &plate, domain->x, domain->y, row);
  return plate;
}

void destroy_plate(Plate* plate) {
  free(plate->right);
  free(plate->below);
}

/* One row. `above` is what the faces above it let pass. Parallel and serial run share this code: equal to the
 * last bit. */
static void advance_row(int width, double* restrict next, const double* north, const double* here,
                        const double* south, const double* right, const double* above, const double* below) {
  for (int x = 0; x < width; x++) {
    double across = right[x] * (here[x + 1] - here[x]) - right[x - 1] * (here[x] - here[x - 1]);
    double along = below[x] * (south[x] - here[x]) - above[x] * (here[x] - north[x]);
    next[x] = here[x] + (across + along);
  }
}

void advance(const Plate* plate, int step) {
  const double* old = plate->field[step % 2];
  double* next = plate->field[(step + 1) % 2];
  size_t stride = plate->stride;
  for (int y = 0; y < plate->height; y++) {
    size_t at = (size_t)(y + 1) * stride + 1;
    advance_row(plate->width, next + at, old + at - stride, old + at, old + at + stride, plate->right + at,
                plate->below + at - stride, plate->below + at);
  }
}
