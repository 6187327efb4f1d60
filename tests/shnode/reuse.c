/* Collectives one after the other over sets that overlap, with nothing between them: sources are rewritten and
 * dests spoiled as soon as a call returns, so that whoever still reads or writes them is caught.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

enum { most_words = 4000, rounds = 60 };
static long *source, *dest;
static long sync_of[8][2][sync_longs], work[most_words];
static int turn[8];

/* All PEs draw the same numbers. */
static uint32_t state;
static int draw(int below) {
  state = state * UINT32_C(1664525) + UINT32_C(1013904223);
  return (int)(state >> 8) % below;
}

typedef struct {
  int start, stride, size, rank;
  long* sync;
} set;

/* One of eight: from here on, every one or every second PE. 0: I am not in it. */
static int draw_set(set* s) {
  const int kind = draw(8), n = shmem_n_pes();
  const set made = {(kind >> 1) % n, kind & 1, 1 + (n - 1 - (kind >> 1) % n) / (1 + (kind & 1)), 0, NULL};
  *s = made;
  s->rank = (shmem_my_pe() - s->start) >> s->stride;
  if (shmem_my_pe() < s->start || (shmem_my_pe() - s->start) % (1 << s->stride)) return 0;
  s->sync = sync_of[kind][turn[kind]++ % 2];
  return 1;
}

/* With one PE on each node they are the system's, which wants barriers between. */
static int is_led(const set* s) {
  const char* asked = getenv("SHNODE_COLLECTIVES");
  if (!asked || strcmp(asked, "1")) return 0;
  for (int rank = 1; rank < s->size; rank++)
    for (int other = 0; other < rank; other++)
      if (shnode_node_of(s->start + (rank << s->stride)) == shnode_node_of(s->start + (other << s->stride)))
        return 1;
  return s->size == 1;
}

static long value_of(int round, int rank, size_t i) { return 1000000L * round + 10000L * rank + (long)i; }

static void expect_block(const long* block, int round, int rank, size_t count) {
  for (size_t i = 0; i < count; i += 1 + count / 7) EXPECT(block[i] == value_of(round, rank, i));
}

#define SET s->start, s->stride, s->size, s->sync

static void collect_once(const set* s, int round, size_t count) {
  EXPECT(shnode_fcollect64(dest, source, count, SET) == SHNODE_OK);
  for (int rank = 0; rank < s->size; rank++) expect_block(dest + (size_t)rank * count, round, rank, count);
}

static void broadcast_once(const set* s, int round, size_t count) {
  const int root = round % s->size;
  EXPECT(shnode_broadcast64(dest, source, count, root, SET) == SHNODE_OK);
  if (s->rank != root) expect_block(dest, round, root, count);
}

static void reduce_once(const set* s, int round, size_t count) {
  EXPECT(shnode_long_max_to_all(dest, source, (int)count, s->start, s->stride, s->size, work, s->sync) ==
         SHNODE_OK);
  expect_block(dest, round, s->size - 1, count);
}

static void alltoall_once(const set* s, int round, size_t count) {
  const size_t each = count / (size_t)s->size;
  EXPECT(shnode_alltoall64(dest, source, each, SET) == SHNODE_OK);
  for (int rank = 0; rank < s->size; rank++)
    for (size_t i = 0; i < each; i += 1 + each / 7)
      EXPECT(dest[(size_t)rank * each + i] == value_of(round, rank, (size_t)s->rank * each + i));
}

static void once(int round, void (*collective)(const set*, int, size_t), size_t count) {
  set s;
  const int member = draw_set(&s);
  if (!is_led(&s) || !member) return;
  for (size_t i = 0; i < count; i++) source[i] = value_of(round, s.rank, i);
  collective(&s, round, count);
  for (size_t i = 0; i < count; i++) source[i] = -1;
  for (size_t i = 0; i < count * (size_t)s.size; i++) dest[i] = -2;
}

void check_reuse(void) {
  static void (*const collectives[])(const set*, int, size_t) = {collect_once, broadcast_once, reduce_once,
                                                                 alltoall_once};
  static const size_t counts[] = {8, 300, most_words};
  source = (long*)(void*)registered, dest = source + most_words;
  for (int i = 0; i < 8; i++) {
    for (int k = 0; k < sync_longs; k++) sync_of[i][0][k] = sync_of[i][1][k] = SHMEM_SYNC_VALUE;
    turn[i] = 0;
  }
  state = 1;
  EXPECT(shnode_barrier_all() == SHNODE_OK);
  for (int round = 1; round <= rounds; round++) {
    const size_t count = counts[draw(3)];
    once(round, collectives[draw(4)], count);
  }
  EXPECT(shnode_barrier_all() == SHNODE_OK);
}
