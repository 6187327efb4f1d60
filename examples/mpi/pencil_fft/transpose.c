/* A transposition: what I have and a peer will need is the overlap of two boxes; one MPI_Alltoallv sends all
 * overlaps.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "pencils.h"

/* Everything for and from the ranks of one communicator. */
struct Parcels {
  MPI_Comm comm;
  int peers;
  struct Box *sent, *received;
  int *send_counts, *send_starts, *receive_counts, *receive_starts;
  Number *outgoing, *incoming;
};

static void* room(size_t count, size_t size) {
  void* memory = calloc(count + 1, size);
  if (!memory) MPI_Abort(MPI_COMM_WORLD, 1);
  return memory;
}

static struct Box overlap(const struct Box* a, const struct Box* b) {
  struct Box both;
  for (int axis = 0; axis < axes; axis++) {
    both.start[axis] = a->start[axis] > b->start[axis] ? a->start[axis] : b->start[axis];
    both.end[axis] = a->end[axis] < b->end[axis] ? a->end[axis] : b->end[axis];
  }
  return both;
}

/* Copies a box between a pencil and a parcel, x within y within z. */
static void copy_box(const struct Pencil* pencil, const struct Box* box, Number* parcel, int into_parcel) {
  for (int z = box->start[axis_z]; z < box->end[axis_z]; z++)
    for (int y = box->start[axis_y]; y < box->end[axis_y]; y++) {
      Number* here = pencil->data + (z - pencil->box.start[axis_z]) * pencil->stride[axis_z] +
                     (y - pencil->box.start[axis_y]) * pencil->stride[axis_y];
      for (int x = box->start[axis_x] - pencil->box.start[axis_x];
           x < box->end[axis_x] - pencil->box.start[axis_x]; x++) {
        Number* number = here + x * pencil->stride[axis_x];
        if (into_parcel)
          *parcel++ = *number;
        else
          *number = *parcel++;
      }
    }
}

static void allocate(struct Parcels* parcels, size_t numbers_out, size_t numbers_in) {
  MPI_Comm_size(parcels->comm, &parcels->peers);
  parcels->sent = room(parcels->peers, sizeof(struct Box));
  parcels->received = room(parcels->peers, sizeof(struct Box));
  parcels->send_counts = room(4 * parcels->peers, sizeof(int));
  parcels->send_starts = parcels->send_counts + parcels->peers;
  parcels->receive_counts = parcels->send_starts + parcels->peers;
  parcels->receive_starts = parcels->receive_counts + parcels->peers;
  parcels->outgoing = room(numbers_out, sizeof(Number));
  parcels->incoming = room(numbers_in, sizeof(Number));
}

void free_plan(struct Parcels* parcels) {
  free(parcels->sent);
  free(parcels->received);
  free(parcels->send_counts);
  free(parcels->outgoing);
  free(parcels->incoming);
  free(parcels);
}

static void count(struct Parcels* parcels) {
  int out = 0, in = 0;
  for (int peer = 0; peer < parcels->peers; peer++) {
    parcels->send_starts[peer] = out;
    parcels->receive_starts[peer] = in;
    out += parcels->send_counts[peer] = (int)volume(&parcels->sent[peer]);
    in += parcels->receive_counts[peer] = (int)volume(&parcels->received[peer]);
  }
}

struct Parcels* plan_transpose(const struct Grid* grid, enum Axis from, enum Axis to) {
  struct Parcels* parcels = room(1, sizeof *parcels);
  const int along_rows = from == axis_x || to == axis_x;
  const struct Box mine = box_along(grid, from, grid->row, grid->column);
  const struct Box wanted = box_along(grid, to, grid->row, grid->column);
  parcels->comm = along_rows ? grid->same_column : grid->same_row;
  allocate(parcels, volume(&mine), volume(&wanted));
  for (int peer = 0; peer < parcels->peers; peer++) {
    const int row = along_rows ? peer : grid->row, column = along_rows ? grid->column : peer;
    const struct Box theirs = box_along(grid, to, row, column), had = box_along(grid, from, row, column);
    parcels->sent[peer] = overlap(&mine, &theirs);
    parcels->received[peer] = overlap(&had, &wanted);
  }
  count(parcels);
  return parcels;
}

void transpose(struct Parcels* parcels, const struct Pencil* from, const struct Pencil* to,
               Exchange* exchange) {
  for (int peer = 0; peer < parcels->peers; peer++)
    copy_box(from, &parcels->sent[peer], parcels->outgoing + parcels->send_starts[peer], 1);
  exchange(parcels->outgoing, parcels->send_counts, parcels->send_starts, MPI_C_DOUBLE_COMPLEX,
           parcels->incoming, parcels->receive_counts, parcels->receive_starts, MPI_C_DOUBLE_COMPLEX,
           parcels->comm);
  for (int peer = 0; peer < parcels->peers; peer++)
    copy_box(to, &parcels->received[peer], parcels->incoming + parcels->receive_starts[peer], 0);
}
