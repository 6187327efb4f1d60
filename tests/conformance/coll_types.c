/* broadcast, collect, fcollect, alltoall and alltoalls for every type, on several teams, with several lengths
 * (9.10).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"
#include "types.h"

enum { LONGEST = 257, DEST_STRIDE = 2, SOURCE_STRIDE = 3 };

static shmem_team_t team;
static int mine, size;
static void *dest_memory, *source_memory;

/* How many elements team PE k gives to a collect of about n: different numbers, some none at all. */
static size_t share(int k, size_t n) { return k % 3 == 1 ? 0 : n + (n ? k : 0); }
static size_t most_elements(void) { return (size_t)npes * (LONGEST + npes) * SOURCE_STRIDE + 1; }

/* The destination must be ready everywhere before the call, the source only here: so it is filled after the
 * sync. */
#define DEFINE(NAME, TYPE)                                                                                  \
  static TYPE* NAME##_dest(size_t n) {                                                                      \
    TYPE* dest = dest_memory;                                                                               \
    for (size_t i = 0; i <= n; ++i) dest[i] = 0;                                                            \
    shmem_team_sync(team);                                                                                  \
    return dest;                                                                                            \
  }                                                                                                         \
  static TYPE* NAME##_source(size_t n, int key) {                                                           \
    TYPE* source = source_memory;                                                                           \
    for (size_t i = 0; i < n; ++i) source[i] = VALUE(TYPE, key, i);                                         \
    return source;                                                                                          \
  }                                                                                                         \
  static void NAME##_broadcast(size_t n) {                                                                  \
    for (int root = 0; root < size; ++root) {                                                               \
      TYPE *dest = NAME##_dest(n), *source = NAME##_source(n, mine + root);                                 \
      CHECK(shmem_##NAME##_broadcast(team, dest, source, n, root) == 0, "broadcast returns 0");             \
      for (size_t i = 0; i < n; ++i)                                                                        \
        CHECK(dest[i] == VALUE(TYPE, 2 * root, i), #NAME " broadcast of %zu from %d: element %zu", n, root, \
              i);                                                                                           \
      CHECK(dest[n] == 0, #NAME " broadcast of %zu writes too much", n);                                    \
    }                                                                                                       \
  }                                                                                                         \
  static void NAME##_fcollect(size_t n) {                                                                   \
    TYPE *dest = NAME##_dest(n * size), *source = NAME##_source(n, mine);                                   \
    CHECK(shmem_##NAME##_fcollect(team, dest, source, n) == 0, "fcollect returns 0");                       \
    for (size_t i = 0; i < n * size; ++i)                                                                   \
      CHECK(dest[i] == VALUE(TYPE, (int)(i / n), i % n), #NAME " fcollect of %zu: element %zu", n, i);      \
    CHECK(dest[n * size] == 0, #NAME " fcollect of %zu writes too much", n);                                \
  }                                                                                                         \
  static void NAME##_collect(size_t n) {                                                                    \
    size_t total = 0, at = 0;                                                                               \
    for (int k = 0; k < size; ++k) total += share(k, n);                                                    \
    TYPE *dest = NAME##_dest(total), *source = NAME##_source(share(mine, n), mine);                         \
    CHECK(shmem_##NAME##_collect(team, dest, source, share(mine, n)) == 0, "collect returns 0");            \
    for (int k = 0; k < size; ++k)                                                                          \
      for (size_t i = 0; i < share(k, n); ++i, ++at)                                                        \
        CHECK(dest[at] == VALUE(TYPE, k, i), #NAME " collect of about %zu: element %zu of %d", n, i, k);    \
    CHECK(dest[total] == 0, #NAME " collect of about %zu writes too much", n);                              \
  }                                                                                                         \
  static void NAME##_alltoall(size_t n) {                                                                   \
    TYPE *dest = NAME##_dest(n * size), *source = NAME##_source(n * size, mine);                            \
    CHECK(shmem_##NAME##_alltoall(team, dest, source, n) == 0, "alltoall returns 0");                       \
    for (size_t i = 0; i < n * size; ++i)                                                                   \
      CHECK(dest[i] == VALUE(TYPE, (int)(i / n), mine * n + i % n), #NAME " alltoall of %zu: element %zu",  \
            n, i);                                                                                          \
    CHECK(dest[n * size] == 0, #NAME " alltoall of %zu writes too much", n);                                \
  }                                                                                                         \
  static void NAME##_alltoalls(size_t n) {                                                                  \
    const size_t room = n * size * DEST_STRIDE;                                                             \
    TYPE *dest = NAME##_dest(room), *source = NAME##_source(n * size * SOURCE_STRIDE, mine);                \
    CHECK(shmem_##NAME##_alltoalls(team, dest, source, DEST_STRIDE, SOURCE_STRIDE, n) == 0, "returns 0");   \
    for (size_t i = 0; i < room; ++i) {                                                                     \
      const size_t element = i / DEST_STRIDE, from = SOURCE_STRIDE * (mine * n + element % (n ? n : 1));    \
      const TYPE wanted = i % DEST_STRIDE ? 0 : VALUE(TYPE, (int)(element / n), from);                      \
      CHECK(dest[i] == wanted, #NAME " alltoalls of %zu: element %zu", n, i);                               \
    }                                                                                                       \
  }                                                                                                         \
  static void NAME##_test(size_t n) {                                                                       \
    NAME##_broadcast(n), NAME##_fcollect(n), NAME##_collect(n), NAME##_alltoall(n), NAME##_alltoalls(n);    \
  }

RMA_TYPES(DEFINE)

/* Bytes: the mem forms count and stride in them. */
static void mem_forms_count_bytes(size_t n) {
  unsigned char *dest = uchar_dest(n * size * DEST_STRIDE), *source = uchar_source(n, mine);
  CHECK(shmem_fcollectmem(team, dest, source, n) == 0, "fcollectmem");
  for (size_t i = 0; i < n * size; ++i)
    CHECK(dest[i] == VALUE(unsigned char, (int)(i / n), i % n), "byte %zu", i);
  dest = uchar_dest(n * size), source = uchar_source(n, mine);
  CHECK(shmem_broadcastmem(team, dest, source, n, size - 1) == 0, "broadcastmem");
  for (size_t i = 0; i < n; ++i) CHECK(dest[i] == VALUE(unsigned char, size - 1, i), "byte %zu", i);
  dest = uchar_dest(n * size), source = uchar_source(n, mine);
  CHECK(shmem_collectmem(team, dest, source, n) == 0, "collectmem");
  for (size_t i = 0; i < n * size; ++i)
    CHECK(dest[i] == VALUE(unsigned char, (int)(i / n), i % n), "byte %zu", i);
  dest = uchar_dest(n * size), source = uchar_source(n * size, mine);
  CHECK(shmem_alltoallmem(team, dest, source, n) == 0, "alltoallmem");
  for (size_t i = 0; i < n * size; ++i)
    CHECK(dest[i] == VALUE(unsigned char, (int)(i / n), mine* n + i % n), "byte %zu", i);
  dest = uchar_dest(n * size * 2), source = uchar_source(n * size * 3, mine);
  CHECK(shmem_alltoallsmem(team, dest, source, 2, 3, n) == 0, "alltoallsmem");
  for (size_t i = 0; i < n * size; ++i)
    CHECK(dest[2 * i] == VALUE(unsigned char, (int)(i / n), 3 * (mine * n + i % n)), "byte %zu", i);
}

static void test_on(shmem_team_t which) {
  const size_t lengths[] = {0, 1, 3, LONGEST};
  team = which;
  if (team == SHMEM_TEAM_INVALID) return;
  mine = shmem_team_my_pe(team);
  size = shmem_team_n_pes(team);
  for (int i = 0; i < 4; ++i) {
#define RUN(NAME, TYPE) \
  if (is_tried(#NAME)) NAME##_test(lengths[i]);
    RMA_TYPES(RUN)
    mem_forms_count_bytes(lengths[i]);
  }
}

static void test_on_split(int start, int stride, int members) {
  shmem_team_t split;
  CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, start, stride, members, NULL, 0, &split) == 0, "a split");
  test_on(split);
  shmem_team_destroy(split);
  shmem_barrier_all();
}

int main(void) {
  begin();
  dest_memory = shmem_malloc(most_elements() * sizeof(long double));
  source_memory = shmem_malloc(most_elements() * sizeof(long double));
  test_on(SHMEM_TEAM_WORLD);
  test_on_split(npes - 1, -1, npes);
  test_on_split(0, 2, (npes + 1) / 2);
  return end();
}
