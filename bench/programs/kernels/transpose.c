/* Transposes a sparse matrix whose rows lie on all PEs, in turns (bale's transpose_matrix, the atomic
 * version).
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Two passes over the nonzeros: an atomic addition counts each at its column's owner, then a fetch-add finds
 * its place there and a put writes the number of its row. */
#include "kernel.h"

enum { per_row = 8 };

static int shift;                 /* rows_each is a power of two: the high bits of a column are its owner */
static size_t rows_each, entries; /* entries: nonzeros of each PE */
static long *column_of, *starts, *places, *rows_of;
static long *own_starts, *own_places, *own_rows_of;
static size_t most_entries;

static long row_of(size_t entry) { return (long)(entry / per_row + rows_each * (size_t)bench.me); }

/* From counts per column to where each column begins; `places` will move on from there. */
static void add_up(long* begin, long* place) {
  long sum = 0;
  for (size_t i = 0; i < rows_each; i++) {
    const long count = place[i];
    begin[i] = place[i] = sum;
    sum += count;
  }
  begin[rows_each] = sum;
  if ((size_t)sum > most_entries) shmem_global_exit(1);
}

static void count(void) {
  const int bits = shift;
  const size_t mask = rows_each - 1;
  long* const counts = places;
  for (const long *column = column_of, *end = column_of + entries; column < end; column++)
    shmem_long_atomic_inc(&counts[(size_t)*column & mask], (int)(*column >> bits));
}

static void move(void) {
  const int bits = shift;
  const size_t mask = rows_each - 1, count = entries;
  long *const place = places, *const rows = rows_of;
  const long *const columns = column_of, first_row = row_of(0);
  for (size_t i = 0; i < count; i++) {
    const int owner = (int)(columns[i] >> bits);
    const long there = shmem_long_atomic_fetch_inc(&place[(size_t)columns[i] & mask], owner);
    shmem_long_p(&rows[there], first_row + (long)(i / per_row), owner);
  }
}

static void transpose(const struct measure* m, long calls) {
  (void)m, (void)calls;
  memset(places, 0, rows_each * sizeof *places);
  shmem_barrier_all();
  count();
  shmem_barrier_all();
  add_up(starts, places);
  shmem_barrier_all();
  move();
  shmem_barrier_all();
}

static void transpose_own(const struct measure* m, long calls) {
  (void)m, (void)calls;
  const size_t mask = rows_each - 1, count = entries;
  long *const place = own_places, *const rows = own_rows_of;
  const long *const columns = column_of, first_row = row_of(0);
  memset(place, 0, rows_each * sizeof *place);
  for (size_t i = 0; i < count; i++)
    __atomic_fetch_add(&place[(size_t)columns[i] & mask], 1, __ATOMIC_RELAXED);
  add_up(own_starts, place);
  for (size_t i = 0; i < count; i++) {
    const long there = __atomic_fetch_add(&place[(size_t)columns[i] & mask], 1, __ATOMIC_RELAXED);
    rows[there] = first_row + (long)(i / per_row);
  }
  shmem_barrier_all();
}

/* A number that an entry keeps through a transposition, and that tells it from others. */
static long mark(long row, long column) {
  uint64_t state = (uint64_t)row << 32 | (uint64_t)column;
  return (long)(throw_dice(&state) >> 24);
}

static int transposed(void) {
  long before = 0, after = 0;
  for (size_t i = 0; i < entries; i++) before += mark(row_of(i), column_of[i]);
  for (size_t c = 0; c < rows_each; c++)
    for (long i = starts[c]; i < starts[c + 1]; i++)
      after += mark(rows_of[i], (long)(c + rows_each * (size_t)bench.me));
  before = sum_of(before);
  return before == sum_of(after);
}

int main(int argc, char** argv) {
  bench_begin(argc, argv, 1);
  world_begin(1);
  shift = bench.quick ? 13 : 16;
  rows_each = (size_t)1 << shift;
  entries = rows_each * per_row;
  most_entries = entries + entries / 8;
  places = bench_allocate(rows_each * sizeof *places);
  rows_of = bench_allocate(most_entries * sizeof *rows_of);
  starts = private_memory((rows_each + 1) * sizeof *starts);
  own_starts = private_memory((rows_each + 1) * sizeof *own_starts);
  own_places = private_memory(rows_each * sizeof *own_places);
  own_rows_of = private_memory(most_entries * sizeof *own_rows_of);
  column_of = private_memory(entries * sizeof *column_of);
  uint64_t state = own_dice();
  for (size_t i = 0; i < entries; i++)
    column_of[i] = (long)below(throw_dice(&state), rows_each * (uint64_t)bench.pes);
  measure_kernel("transpose", transpose, (double)entries);
  measure_kernel("transpose.roofline", transpose_own, (double)entries);
  return kernel_end(transposed(), "transpose: entries are missing or astray");
}
