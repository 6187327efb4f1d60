/* Collectives over all PEs and over active sets, on registered and on other memory, small and large.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

/* The active sets of a job: start, log2 of the stride, size; -1: up to the last PE. */
static const int sets[][3] = {{0, 0, -1}, {1, 0, -1}, {0, 1, -1}, {1, 1, -1}, {0, 0, 1}, {0, 2, -1}};
typedef struct {
  int start, stride, size, rank;
} set;
static int turn; /* the system wants another pSync each time */

static int make_set(size_t i, set* s) {
  const int n = shmem_n_pes(), start = sets[i][0], step = 1 << sets[i][1];
  turn = 0; /* PEs that were not in the set before have used fewer */
  if (start >= n) return 0;
  const set made = {start, sets[i][1], sets[i][2] > 0 ? sets[i][2] : (n - start + step - 1) / step,
                    (shmem_my_pe() - start) / step};
  *s = made;
  const int away = shmem_my_pe() - start;
  return away >= 0 && away % step == 0 && away / step < s->size;
}

static long* next_sync(void) { return sync_area[turn++ % 2]; }
static int pe_of(const set* s, int rank) { return s->start + (rank << s->stride); }

/* Values whose results are exact and differ from operation to operation. */
static int value_of(int pe, int i) { return 1 + (pe * 7 + i * 3) % 5; }

#define FOLD_sum(x, y) ((x) + (y))
#define FOLD_prod(x, y) ((x) * (y))
#define FOLD_min(x, y) ((y) < (x) ? (y) : (x))
#define FOLD_max(x, y) ((y) > (x) ? (y) : (x))
#define FOLD_and(x, y) ((x) & (y))
#define FOLD_or(x, y) ((x) | (y))
#define FOLD_xor(x, y) ((x) ^ (y))

#define CHECK_REDUCTION(op, name, type, arg)                                                          \
  static void check_##op##_##name(const set* s, char* memory, int count, int in_place) {              \
    type *source = (type*)(void*)memory, *dest = in_place ? source : source + count + 1;              \
    static type work[20000];                                                                          \
    for (int i = 0; i < count; i++) dest[i] = (type)77, source[i] = (type)value_of(shmem_my_pe(), i); \
    shmem_barrier(s->start, s->stride, s->size, next_sync()); /* every dest is ready */               \
    EXPECT(shnode_##name##_##op##_to_all(dest, source, count, s->start, s->stride, s->size, work,     \
                                         next_sync()) == SHNODE_OK);                                  \
    for (int i = 0; i < count; i += 1 + count / 11) {                                                 \
      type expected = (type)value_of(pe_of(s, 0), i);                                                 \
      for (int rank = 1; rank < s->size; rank++)                                                      \
        expected = (type)FOLD_##op(expected, (type)value_of(pe_of(s, rank), i));                      \
      EXPECT(dest[i] == expected);                                                                    \
      EXPECT(in_place || source[i] == (type)value_of(shmem_my_pe(), i));                              \
    }                                                                                                 \
  }
SHNODE_TO_ALL_REDUCTIONS(CHECK_REDUCTION, 0)

static void check_types(const set* s) {
#define CALL(op, name, type, arg) check_##op##_##name(s, registered, 50, 0);
  SHNODE_TO_ALL_REDUCTIONS(CALL, 0)
}

static void check_sizes(const set* s) {
  static const int counts[] = {0, 1, 3, 1000, 5000, 20000};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    check_sum_int(s, registered, counts[i], 0);
    check_max_double(s, registered, counts[i], 1);
    check_xor_long(s, unregistered, counts[i], 0);
    check_prod_short(s, unregistered, counts[i], 1);
  }
  check_sum_float(s, globals, 4000, 0);
}

static void nothing_needs_no_memory(void) {
  const int n = shmem_n_pes();
  EXPECT(shnode_int_sum_to_all(NULL, NULL, 0, 0, 0, n, NULL, sync_area[0]) == SHNODE_OK);
  EXPECT(shnode_barrier_all() == SHNODE_OK);
  EXPECT(shnode_collect32(NULL, NULL, 0, 0, 0, n, sync_area[1]) == SHNODE_OK);
  EXPECT(shnode_barrier_all() == SHNODE_OK);
  EXPECT(shnode_alltoall32(NULL, NULL, 0, 0, 0, n, sync_area[0]) == SHNODE_OK);
  EXPECT(shnode_barrier_all() == SHNODE_OK);
}

static void reduction_errors(void) {
  int local = 0, *box = (int*)(void*)registered;
  const int n = shmem_n_pes();
  EXPECT(shnode_int_sum_to_all(box, box, -1, 0, 0, n, box, sync_area[0]) == SHNODE_ERR_ARGUMENT);
  EXPECT(shnode_int_sum_to_all(NULL, box, 1, 0, 0, n, box, sync_area[0]) == SHNODE_ERR_ARGUMENT);
  EXPECT(shnode_int_sum_to_all(box, &local, 1, 0, 0, n, box, sync_area[0]) == SHNODE_ERR_ARGUMENT);
  EXPECT(shnode_fcollect32(&local, box, 1, 0, 0, n, sync_area[0]) == SHNODE_ERR_ARGUMENT);
  EXPECT(shnode_int_sum_to_all(box, box, 1, 0, 0, n + 1, box, sync_area[0]) == SHNODE_ERR_ARGUMENT);
  EXPECT(shnode_int_sum_to_all(box, box, 1, -1, 0, n, box, sync_area[0]) == SHNODE_ERR_ARGUMENT);
  EXPECT(shnode_int_sum_to_all(box, box, 1, 0, 40, 2, box, sync_area[0]) == SHNODE_ERR_ARGUMENT);
  if (shmem_my_pe() == 1) EXPECT(shnode_barrier(0, 0, 1, sync_area[0]) == SHNODE_ERR_PE);
}

void check_reductions(void) {
  reduction_errors();
  nothing_needs_no_memory();
  for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
    set s;
    if (make_set(i, &s)) {
      check_types(&s);
      check_sizes(&s);
      EXPECT(shnode_barrier(s.start, s.stride, s.size, next_sync()) == SHNODE_OK);
    }
    EXPECT(shnode_barrier_all() == SHNODE_OK);
  }
}

/* ---- Broadcast, collect, all-to-all. The memory: the source, then the dest. ---- */

typedef struct {
  int *source, *dest;
  size_t count; /* of each block */
} buffers;

static int stamp(int from, int to, size_t i) { return from * 100000 + to * 1000 + (int)(i % 997); }

static void check_broadcast(const set* s, const buffers* b, int root) {
  const int from = pe_of(s, root), me = shmem_my_pe();
  for (size_t i = 0; i < b->count; i++) b->source[i] = stamp(me, 0, i), b->dest[i] = -1;
  EXPECT(shnode_broadcast32(b->dest, b->source, b->count, root, s->start, s->stride, s->size, next_sync()) ==
         SHNODE_OK);
  for (size_t i = 0; i < b->count; i += 1 + b->count / 13)
    EXPECT(b->dest[i] == (me == from ? -1 : stamp(from, 0, i)));
  shnode_barrier(s->start, s->stride, s->size, next_sync());
}

static void check_fcollect(const set* s, const buffers* b) {
  for (size_t i = 0; i < b->count; i++) b->source[i] = stamp(shmem_my_pe(), 1, i);
  EXPECT(shnode_fcollect32(b->dest, b->source, b->count, s->start, s->stride, s->size, next_sync()) ==
         SHNODE_OK);
  for (int rank = 0; rank < s->size; rank++)
    for (size_t i = 0; i < b->count; i += 1 + b->count / 13)
      EXPECT(b->dest[(size_t)rank * b->count + i] == stamp(pe_of(s, rank), 1, i));
  shnode_barrier(s->start, s->stride, s->size, next_sync());
}

static size_t collect_count(const buffers* b, int rank) { return b->count / 4 * (size_t)(rank % 4); }

static void check_collect(const set* s, const buffers* b) {
  const size_t mine = collect_count(b, s->rank);
  for (size_t i = 0; i < mine; i++) b->source[i] = stamp(shmem_my_pe(), 2, i);
  EXPECT(shnode_collect32(b->dest, b->source, mine, s->start, s->stride, s->size, next_sync()) == SHNODE_OK);
  const int* at = b->dest;
  for (int rank = 0; rank < s->size; at += collect_count(b, rank), rank++)
    for (size_t i = 0; i < collect_count(b, rank); i += 1 + b->count / 13)
      EXPECT(at[i] == stamp(pe_of(s, rank), 2, i));
  shnode_barrier(s->start, s->stride, s->size, next_sync());
}

static void check_alltoall(const set* s, const buffers* b) {
  const int me = shmem_my_pe();
  for (int rank = 0; rank < s->size; rank++)
    for (size_t i = 0; i < b->count; i++)
      b->source[(size_t)rank * b->count + i] = stamp(me, pe_of(s, rank), i);
  EXPECT(shnode_alltoall32(b->dest, b->source, b->count, s->start, s->stride, s->size, next_sync()) ==
         SHNODE_OK);
  for (int rank = 0; rank < s->size; rank++)
    for (size_t i = 0; i < b->count; i += 1 + b->count / 13)
      EXPECT(b->dest[(size_t)rank * b->count + i] == stamp(pe_of(s, rank), me, i));
  shnode_barrier(s->start, s->stride, s->size, next_sync());
}

static void check_moves_of(const set* s, char* memory, size_t count) {
  const buffers b = {(int*)(void*)memory, (int*)(void*)(memory + room / 2), count};
  check_broadcast(s, &b, 0);
  check_broadcast(s, &b, s->size - 1);
  check_fcollect(s, &b);
  check_collect(s, &b);
  check_alltoall(s, &b);
}

char* end_of_symmetric_memory(void) {
  size_t good = 0, bad = (size_t)1 << 46;
  while (bad - good > 1) {
    const size_t middle = good + (bad - good) / 2;
    if (shmem_addr_accessible(registered + middle, shmem_my_pe()))
      good = middle;
    else
      bad = middle;
  }
  return registered + bad;
}

/* The first block is symmetric, the last is not. */
static void all_blocks_must_be_symmetric(void) {
  const int n = shmem_n_pes();
  void* beyond = end_of_symmetric_memory() + 4 - 64 * n;
  EXPECT(shnode_fcollect32(beyond, registered, 16, 0, 0, n, sync_area[0]) == SHNODE_ERR_ARGUMENT);
  EXPECT(shnode_alltoall32(beyond, registered, 16, 0, 0, n, sync_area[0]) == SHNODE_ERR_ARGUMENT);
  EXPECT(shnode_alltoall32(registered, beyond, 16, 0, 0, n, sync_area[0]) == SHNODE_ERR_ARGUMENT);
  EXPECT(shnode_fcollect32(registered, registered, PTRDIFF_MAX / 4, 0, 0, n, sync_area[0]) ==
         SHNODE_ERR_ARGUMENT);
}

/* Who contributes nothing receives all the same. What the system would do by itself is its own affair. */
static void a_missing_dest_is_an_error_on_all(void) {
  const int me = shmem_my_pe(), n = shmem_n_pes();
  const char* leaders = getenv("SHNODE_COLLECTIVES");
  if (n == 1 || shnode_node_count() == n || !leaders || strcmp(leaders, "1")) return;
  EXPECT(shnode_collect32(me ? registered : NULL, me ? registered : NULL, me ? 4 : 0, 0, 0, n,
                          sync_area[0]) == SHNODE_ERR_ARGUMENT);
  EXPECT(shnode_barrier_all() == SHNODE_OK);
}

void check_moves(void) {
  static const size_t counts[] = {1, 8, 300, 4000};
  int* box = (int*)(void*)registered;
  const int n = shmem_n_pes();
  EXPECT(shnode_broadcast64(box, box, 1, n, 0, 0, n, sync_area[0]) == SHNODE_ERR_PE);
  all_blocks_must_be_symmetric();
  a_missing_dest_is_an_error_on_all();
  for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
    set s;
    for (size_t k = 0; make_set(i, &s) && k < sizeof counts / sizeof *counts; k++) {
      check_moves_of(&s, registered, counts[k]);
      check_moves_of(&s, unregistered, counts[k]);
    }
    EXPECT(shnode_barrier_all() == SHNODE_OK);
  }
}
