/* A full heap: NULL on every PE, nothing broken, everything to be had again afterwards (9.3). Needs a heap of
 * 4 MiB.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

enum { HEAP = 4 << 20 };

static void impossible_requests_return_null(void) {
  CHECK(shmem_malloc(HEAP + 1) == NULL, "more than the heap");
  CHECK(shmem_malloc(SIZE_MAX) == NULL, "SIZE_MAX");
  CHECK(shmem_malloc(SIZE_MAX - 4096) == NULL, "nearly SIZE_MAX");
  CHECK(shmem_calloc(SIZE_MAX / 2, 4) == NULL, "a product that overflows");
  CHECK(shmem_calloc((SIZE_MAX >> 32) + 2, (size_t)1 << 32) == NULL, "a product that overflows to little");
  CHECK(shmem_align(4096, SIZE_MAX - 100) == NULL, "aligned SIZE_MAX");
  CHECK(shmem_malloc_with_hints(HEAP * 2, SHMEM_MALLOC_SIGNAL_REMOTE) == NULL, "with hints");
}

static void a_failed_realloc_leaves_the_block_alone(void) {
  char* block = shmem_malloc(1000);
  memset(block, me + 1, 1000);
  CHECK(shmem_realloc(block, HEAP * 2) == NULL, "realloc beyond the heap");
  CHECK(shmem_realloc(block, SIZE_MAX) == NULL, "realloc to SIZE_MAX");
  int kept = 1;
  for (int i = 0; i < 1000; ++i) kept &= block[i] == me + 1;
  CHECK(kept, "the old block keeps its contents");
  shmem_free(block);
}

static void the_promised_size_is_there(void) {
  char* all = shmem_malloc(HEAP - 65536);
  CHECK(all != NULL, "nearly the whole heap in one piece");
  if (all) all[HEAP - 65537] = 1;
  CHECK(shmem_malloc(131072) == NULL, "and then not much more");
  shmem_free(all);
}

/* Boundaries that are good for speed must not eat the heap: blocks a little over a page, a large one behind a
 * small one. */
static void alignment_is_not_paid_with_the_heap(void) {
  enum { BYTES = 4100, MOST = HEAP / BYTES };
  static char* block[MOST];
  int count = 0;
  while (count < MOST && (block[count] = shmem_malloc(BYTES))) ++count;
  CHECK(count >= MOST * 9 / 10, "%d blocks of %d bytes", count, BYTES);
  while (count > 0) shmem_free(block[--count]);
  char *small = shmem_malloc(64), *large = shmem_malloc(HEAP / 4 * 3);
  CHECK(large != NULL, "three quarters of the heap behind a small block");
  shmem_free(large);
  shmem_free(small);
}

/* Fill up, free every second, fill the holes, free all: the heap must be whole again. Blocks of a kilobyte, or of as many as
 * the environment says: each is a collective. */
static void a_fragmented_heap_becomes_whole_again(void) {
  enum { MOST = HEAP / 1024 };
  static char* block[MOST];
  const char* kilobytes = getenv("TEST_KILOBYTES");
  const int bytes = kilobytes ? atoi(kilobytes) * 1000 : 1000, most = MOST * 1000 / bytes;
  for (int round = 0; round < 2; ++round) {
    int count = 0;
    while (count < most && (block[count] = shmem_malloc(bytes))) ++count;
    CHECK(count > most * 3 / 4, "%d blocks of %d bytes", count, bytes);
    for (int i = 0; i < count; i += 2) shmem_free(block[i]);
    CHECK(count == most || shmem_malloc(8 * bytes) == NULL, "no large hole is left");
    for (int i = 0; i < count; i += 2) CHECK((block[i] = shmem_malloc(bytes)) != NULL, "hole %d", i);
    for (int i = 1; i < count; i += 2) shmem_free(block[i]);
    for (int i = (count - 1) / 2 * 2; i >= 0; i -= 2) shmem_free(block[i]);
    the_promised_size_is_there();
  }
}

static void the_library_works_on_a_full_heap(void) {
  static long sum, one = 1;
  shmem_team_t team;
  char *rest = shmem_malloc(HEAP - 65536), *bit;
  int bits = 0;
  static char* small[HEAP / 64];
  while ((bit = shmem_malloc(64))) small[bits++] = bit;
  CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, npes, NULL, 0, &team) == 0, "a team without heap");
  CHECK(shmem_long_sum_reduce(team, &sum, &one, 1) == 0 && sum == npes, "a reduction without heap");
  shmem_team_destroy(team);
  while (bits > 0) shmem_free(small[--bits]);
  shmem_free(rest);
}

int main(void) {
  begin();
  impossible_requests_return_null();
  a_failed_realloc_leaves_the_block_alone();
  the_promised_size_is_there();
  alignment_is_not_paid_with_the_heap();
  a_fragmented_heap_becomes_whole_again();
  the_library_works_on_a_full_heap();
  return end();
}
