/* Halos: each PE puts the edges of its block into its neighbours' halos, each put with a signal.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * No barrier: a PE that has its neighbours' edges of step n knows that they have read its edges of step n -
 * 1, so the halo of step n + 1, which has the same parity, is free. A signal counts steps, because a
 * neighbour may be one ahead. */
#include <shmem.h>
#include <stdint.h>

#include "heat.h"

static uint64_t arrived[SIDES]; /* symmetric, as every global: steps whose edge has arrived from that side */
static double* inbox;  /* symmetric: [step % 2][WEST or EAST][max_height], columns packed by the sender */
static double* outbox; /* the same shape */

void* allocate_symmetric(size_t count, size_t size) {
  void* memory = shmem_malloc(count * size);
  if (memory == NULL && shmem_my_pe() == 0)
    fail("no symmetric memory for %zu MiB; set SHMEM_SYMMETRIC_SIZE higher, or try a smaller --size",
         count * size >> 20);
  if (memory == NULL) shmem_barrier_all(); /* PE 0 ends the job */
  return memory;
}

void prepare_exchange(const Domain* domain) {
  size_t cells = (size_t)domain->max_height * 2 * 2;
  inbox = allocate_symmetric(cells, sizeof(double));
  outbox = allocate(cells, sizeof(double));
}

static enum Side opposite(enum Side side) { return side ^ 1; }

static double* cell(const Plate* plate, int step, int x, int y) {
  return plate->field[step % 2] + (ptrdiff_t)(y + 1) * (ptrdiff_t)plate->stride + x + 1;
}

static double* column_of(double* box, const Domain* domain, int step, enum Side side) {
  return box + (size_t)(step % 2 * 2 + (side == EAST)) * (size_t)domain->max_height;
}

static void send(double* dest, const double* source, int count, enum Side side, const Domain* domain,
                 int step) {
  shmem_double_put_signal_nbi(dest, source, (size_t)count, &arrived[opposite(side)], (uint64_t)step + 1,
                              SHMEM_SIGNAL_SET, domain->neighbour[side]);
}

static void send_row(const Domain* domain, const Plate* plate, int step, enum Side side) {
  int edge = side == NORTH ? 0 : plate->height - 1;
  int halo = side == NORTH ? domain->neighbour_height : -1;
  send(cell(plate, step, 0, halo), cell(plate, step, 0, edge), plate->width, side, domain, step);
}

static void send_column(const Domain* domain, const Plate* plate, int step, enum Side side) {
  double* packed = column_of(outbox, domain, step, side);
  const double* edge = cell(plate, step, side == WEST ? 0 : plate->width - 1, 0);
  for (int y = 0; y < plate->height; y++) packed[y] = edge[(size_t)y * plate->stride];
  send(column_of(inbox, domain, step, opposite(side)), packed, plate->height, side, domain, step);
}

static void unpack_column(const Domain* domain, const Plate* plate, int step, enum Side side) {
  const double* packed = column_of(inbox, domain, step, side);
  double* halo = cell(plate, step, side == WEST ? -1 : plate->width, 0);
  for (int y = 0; y < plate->height; y++) halo[(size_t)y * plate->stride] = packed[y];
}

void exchange(const Domain* domain, const Plate* plate, int step) {
  shmem_quiet(); /* the step before has left its outbox and its rows, and its signals come before these */
  for (enum Side side = NORTH; side <= EAST; side++) {
    if (domain->neighbour[side] < 0) continue;
    if (side <= SOUTH)
      send_row(domain, plate, step, side);
    else
      send_column(domain, plate, step, side);
  }
  for (enum Side side = NORTH; side <= EAST; side++) {
    if (domain->neighbour[side] < 0) continue;
    shmem_signal_wait_until(&arrived[side], SHMEM_CMP_GE, (uint64_t)step + 1);
    if (side >= WEST) unpack_column(domain, plate, step, side);
  }
}

void gather(const Domain* domain, const Plate* plate, int step, size_t row, double* whole) {
  for (int y = 0; y < domain->height; y++) {
    double* dest = whole + (size_t)(domain->y + y) * row + (size_t)domain->x;
    shmem_double_put(dest, cell(plate, step, 0, y), (size_t)domain->width, 0);
  }
  shmem_barrier_all();
}
