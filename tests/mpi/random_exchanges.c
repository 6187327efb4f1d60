// Random exchanges, through the library and by the MPI's own routine; the receive buffers are compared byte
// by byte.
//
// Litmus: SYNC mpi-delivered mpi-arrived
// SPDX-License-Identifier: BSD-3-Clause
//
// usage: random_exchanges SEED ROUNDS LARGEST [falls-back]
// LARGEST: units of 24 bytes that one rank sends to another. falls-back: the MPI's own routine runs as well,
// so nothing is asked of it that it cannot do (copy_of says what). All three routines, two also with large counts, all kinds of
// types on both sides, gaps, blocks in any order, empty blocks, MPI_IN_PLACE.
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "in_place.h"

enum { types = 7, unit_ints = 6 };
enum { plain, contiguous, strided, reversed, shifted, duplicate, pairs };

static MPI_Datatype type_of[types];  // each with the signature of six ints
static int per_unit[types];          // elements that make a unit
static int rank_, size_, largest;
static uint64_t seed;

// The same number on all ranks for the same arguments.
static uint32_t draw(uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
  uint64_t x = seed * 0x9e3779b97f4a7c15u + a * 0xbf58476d1ce4e5b9u + b * 0x94d049bb133111ebu +
               c * 0xd6e8feb86659fd93u + d;
  for (int i = 0; i < 3; i++) x ^= x >> 29, x *= 0xbf58476d1ce4e5b9u;
  return (uint32_t)(x >> 32);
}

static void make_types(void) {
  MPI_Datatype inner;
  for (int i = 0; i < types; i++) per_unit[i] = 1;
  type_of[plain] = MPI_INT, per_unit[plain] = unit_ints;
  MPI_Type_contiguous(unit_ints, MPI_INT, &type_of[contiguous]);
  MPI_Type_vector(3, 2, 4, MPI_INT, &type_of[strided]);
  MPI_Type_indexed(3, (int[]){1, 2, 3}, (int[]){5, 3, 0}, MPI_INT, &type_of[reversed]);
  MPI_Type_create_resized(type_of[reversed], -8, 40, &type_of[shifted]);
  MPI_Type_dup(type_of[contiguous], &type_of[duplicate]);
  MPI_Type_contiguous(2, MPI_INT, &inner);
  MPI_Type_contiguous(1, inner, &type_of[pairs]), per_unit[pairs] = 3;
  MPI_Type_free(&inner);
  for (int i = 1; i < types; i++) MPI_Type_commit(&type_of[i]);
}

static void free_types(void) {
  for (int i = 1; i < types; i++) MPI_Type_free(&type_of[i]);
}

// One side of an exchange: where each peer's block lies in a buffer, with gaps and in any order.
struct side {
  int *counts, *displacements;
  MPI_Datatype* kinds;
  size_t bytes;
};

static int room_of(int type,
                   int units) {  // bytes, generous: nothing below its start but for the shifted type
  return 16 + units * per_unit[type] * 64;
}

static struct side lay_out(int round, int direction, int same_type, int in_bytes, const int* units) {
  struct side side = {calloc(size_, sizeof(int)), calloc(size_, sizeof(int)),
                      calloc(size_, sizeof(MPI_Datatype)), 0};
  const uint32_t turn = draw(round, direction, rank_, 77) % size_,
                 step = draw(round, direction, rank_, 78) % 2;
  size_t at = 64;
  for (int i = 0; i < size_; i++) {
    const int peer = step ? (i + turn) % size_ : (size_ - 1 - i + turn) % size_;
    const int type = same_type >= 0 ? same_type : (int)(draw(round, direction, rank_, 100 + peer) % types);
    MPI_Aint low, extent;
    MPI_Type_get_extent(type_of[type], &low, &extent);
    at = (at + extent - 1) / extent * extent;
    side.kinds[peer] = type_of[type];
    side.counts[peer] = units[peer] * per_unit[type];
    side.displacements[peer] = (int)(in_bytes ? at : at / extent);
    at += room_of(type, units[peer]) + (draw(round, direction, rank_, 200 + peer) % 3) * extent;
  }
  side.bytes = at + 64;
  return side;
}

static void free_side(struct side* side) { free(side->counts), free(side->displacements), free(side->kinds); }

static void fill(unsigned char* buffer, size_t bytes, int round, int what) {
  for (size_t i = 0; i < bytes; i++) buffer[i] = (unsigned char)(i * 31 + rank_ * 7 + round * 13 + what);
}

static int units_between(int round, int from, int to) {
  const uint32_t shape = draw(round, 1, 0, 0) % 4, value = draw(round, 2, from, to);
  if (shape == 0) return draw(round, 3, 0, 0) % (largest + 1);  // all alike
  if (shape == 1 && value % 3) return 0;                        // sparse
  if (shape == 2)
    return from == (int)(draw(round, 4, 0, 0) % size_) ? (int)(value % (8 * largest + 1)) : 1;  // one large
  return value % (largest + 1);
}

// What is exchanged in place is compared with the same exchange out of a copy: Open MPI 4.1's own
// MPI_Alltoallw damages memory when it works in place on types with gaps.
static unsigned char* copy_of(const unsigned char* buffer, size_t bytes) {
  return memcpy(malloc(bytes), buffer, bytes);
}

static int report(int round, const char* routine, const unsigned char* ours, const unsigned char* theirs,
                  size_t bytes) {
  if (!memcmp(ours, theirs, bytes)) return 0;
  size_t at = 0;
  while (ours[at] == theirs[at]) at++;
  printf("rank %d, round %d, %s: byte %zu of %zu differs\n", rank_, round, routine, at, bytes);
  return 1;
}

static int round_of_alltoall(int round, MPI_Comm comm, int in_place) {
  const int units = draw(round, 5, 0, 0) % (largest + 1);
  const int out = draw(round, 6, rank_, 0) % types, in = draw(round, 6, rank_, 1) % types;
  const size_t bytes =
      128 + (size_t)room_of(plain, units + 1) * size_ + (size_t)room_of(in, units + 1) * size_;
  unsigned char *source = malloc(bytes), *ours = malloc(bytes), *theirs = malloc(bytes);
  fill(source, bytes, round, 1), fill(ours, bytes, round, 2), fill(theirs, bytes, round, 2);
  unsigned char* copy = copy_of(ours, bytes);
  MPI_Alltoall(in_place ? MPI_IN_PLACE : source + 64, units * per_unit[out], type_of[out], ours + 64,
               units * per_unit[in], type_of[in], comm);
  if (in_place)
    PMPI_Alltoall(copy + 64, units * per_unit[in], type_of[in], theirs + 64, units * per_unit[in],
                  type_of[in], comm);
  else
    PMPI_Alltoall(source + 64, units * per_unit[out], type_of[out], theirs + 64, units * per_unit[in],
                  type_of[in], comm);
  const int wrong = report(round, "alltoall", ours, theirs, bytes);
  free(source), free(ours), free(theirs), free(copy);
  return wrong;
}

#if MPI_VERSION >= 4
static MPI_Count* wide_counts(const int* from) {
  MPI_Count* wide = malloc(size_ * sizeof *wide);
  for (int peer = 0; peer < size_; peer++) wide[peer] = from[peer];
  return wide;
}

static MPI_Aint* wide_displacements(const int* from) {
  MPI_Aint* wide = malloc(size_ * sizeof *wide);
  for (int peer = 0; peer < size_; peer++) wide[peer] = from[peer];
  return wide;
}

// By the routines for large counts.
static void exchange_large(const void* source, const struct side* out, void* target, const struct side* in,
                           int mixed, MPI_Comm comm) {
  MPI_Count *sent = wide_counts(out->counts), *received = wide_counts(in->counts);
  MPI_Aint *from = wide_displacements(out->displacements), *to = wide_displacements(in->displacements);
  if (mixed)
    MPI_Alltoallw_c(source, sent, from, out->kinds, target, received, to, in->kinds, comm);
  else
    MPI_Alltoallv_c(source, sent, from, out->kinds[0], target, received, to, in->kinds[0], comm);
  free(sent), free(received), free(from), free(to);
}
#endif

static void exchange_ours(const void* source, const struct side* out, void* target, const struct side* in,
                          int mixed, MPI_Comm comm, int large) {
#if MPI_VERSION >= 4
  if (large) return exchange_large(source, out, target, in, mixed, comm);
#endif
  (void)large;
  if (mixed)
    MPI_Alltoallw(source, out->counts, out->displacements, out->kinds, target, in->counts, in->displacements,
                  in->kinds, comm);
  else
    MPI_Alltoallv(source, out->counts, out->displacements, out->kinds[0], target, in->counts,
                  in->displacements, in->kinds[0], comm);
}

static int round_of_many(int round, MPI_Comm comm, int in_place, int mixed) {
  int* to = malloc(size_ * sizeof(int));
  int* from = malloc(size_ * sizeof(int));
  for (int peer = 0; peer < size_; peer++) {
    const int low = peer < rank_ ? peer : rank_,
              high = peer < rank_ ? rank_ : peer;  // in place: as much back as forth
    to[peer] = in_place ? units_between(round, low, high) : units_between(round, rank_, peer);
    from[peer] = in_place ? to[peer] : units_between(round, peer, rank_);
  }
  struct side out = lay_out(round, 0, mixed ? -1 : (int)(draw(round, 7, rank_, 0) % types), mixed, to);
  struct side in =
      lay_out(round, 1,
              mixed ? (in_place ? (int)strided : -1) : (int)(draw(round, 7, in_place ? 0 : rank_, 1) % types),
              mixed, from);
  unsigned char *source = malloc(out.bytes), *ours = malloc(in.bytes), *theirs = malloc(in.bytes);
  fill(source, out.bytes, round, 1), fill(ours, in.bytes, round, 2), fill(theirs, in.bytes, round, 2);
  unsigned char* copy = copy_of(ours, in.bytes);
  const struct side* sent = in_place ? &in : &out;
  exchange_ours(in_place ? MPI_IN_PLACE : source, &out, ours, &in, mixed, comm, draw(round, 11, 0, 0) % 2);
  if (mixed)
    PMPI_Alltoallw(in_place ? copy : source, sent->counts, sent->displacements, sent->kinds, theirs,
                   in.counts, in.displacements, in.kinds, comm);
  else
    PMPI_Alltoallv(in_place ? copy : source, sent->counts, sent->displacements, sent->kinds[0], theirs,
                   in.counts, in.displacements, in.kinds[0], comm);
  const int wrong = report(round, mixed ? "alltoallw" : "alltoallv", ours, theirs, in.bytes);
  free_side(&out), free_side(&in);
  free(to), free(from), free(source), free(ours), free(theirs), free(copy);
  return wrong;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  const int rounds = argc > 2 ? atoi(argv[2]) : 10;
  largest = argc > 3 ? atoi(argv[3]) : 50;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  if (rank_ == 0) printf("seed %llu\n", (unsigned long long)seed), fflush(stdout);
  // The world, the world backwards, and the world as two interleaved halves.
  MPI_Comm comms[3];
  MPI_Comm_dup(MPI_COMM_WORLD, &comms[0]);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank_, &comms[1]);
  MPI_Comm_split(MPI_COMM_WORLD, rank_ % 2, 0, &comms[2]);
  make_types();
  int wrong = 0;
  for (int round = 0; round < rounds; round++) {
    MPI_Comm comm = comms[draw(round, 8, 0, 0) % 3];
    MPI_Comm_rank(comm, &rank_), MPI_Comm_size(comm, &size_);
    // One rank is the MPI's own business; Open MPI 4.1 then takes alltoallw's displacements for elements.
    const uint32_t routine = draw(round, 9, 0, 0) % (size_ == 1 ? 2 : 3);
    const int in_place =
        works_in_place && size_ > 1 && draw(round, 10, 0, 0) % 4 == 0 && (routine < 2 || argc < 5);
    wrong += routine == 0 ? round_of_alltoall(round, comm, in_place)
                          : round_of_many(round, comm, in_place, routine == 2);
  }
  free_types();
  for (int i = 0; i < 3; i++) MPI_Comm_free(&comms[i]);
  MPI_Finalize();
  return wrong != 0;
}
