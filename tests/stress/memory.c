/* A storm of allocations of all kinds; every block keeps its contents and lies at the same offset on all PEs.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "random.h"

enum { BLOCKS = 64 };

static unsigned char* block[BLOCKS];
static size_t bytes[BLOCKS];
static unsigned char* base;

static unsigned char mark(int i) { return (unsigned char)(i * 5 + me + 1); }

static void expect_contents(int i, size_t length) {
  size_t wrong = 0;
  for (size_t k = 0; k < length; ++k) wrong += block[i][k] != mark(i);
  CHECK(wrong == 0, "%zu bytes of block %d (of %zu) are spoilt", wrong, i, bytes[i]);
}

static unsigned char* allocate(size_t size) {
  switch (pick(0, 3)) {
    case 0:
      return shmem_malloc(size);
    case 1:
      return shmem_align((size_t)1 << pick(3, 14), size);
    case 2:
      return shmem_malloc_with_hints(size, SHMEM_MALLOC_ATOMICS_REMOTE);
    default:
      return shmem_calloc(size, 1);
  }
}

static void replace(int i) {
  const size_t size = (size_t)pick(1, 1L << pick(1, 17));
  if (block[i] && pick(0, 2) == 0) {
    unsigned char* moved = shmem_realloc(block[i], size);
    if (!moved) return;
    block[i] = moved;
    const size_t kept = size < bytes[i] ? size : bytes[i];
    bytes[i] = size;
    expect_contents(i, kept);
  } else {
    if (block[i]) expect_contents(i, bytes[i]);
    shmem_free(block[i]);
    block[i] = allocate(size);
    bytes[i] = size;
  }
  if (block[i]) memset(block[i], mark(i), bytes[i]);
}

/* The neighbour's copy carries the neighbour's mark at my offset: all PEs agree on where the block is. */
static void expect_the_same_offset(int i) {
  static long offsets[1024];
  static long mine;
  mine = block[i] ? (long)(block[i] - base) : -1;
  shmem_long_fcollect(SHMEM_TEAM_WORLD, offsets, &mine, 1);
  for (int pe = 0; pe < npes; ++pe)
    CHECK(offsets[pe] == mine, "block %d is at %ld here, at %ld there", i, mine, offsets[pe]);
  shmem_sync_all();
}

int main(void) {
  begin();
  const uint64_t seed = share_seed();
  base = shmem_malloc(64);
  const long count = test_rounds(npes > 8 ? 300 : 3000);
  for (long round = 0; round < count && check_failures == 0; ++round) {
    const int i = (int)pick(0, BLOCKS - 1);
    replace(i);
    if (round % 16 == 0) expect_the_same_offset(i);
  }
  for (int i = 0; i < BLOCKS; ++i) shmem_free(block[i]);
  return end_with_seed(seed);
}
