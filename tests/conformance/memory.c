/* The symmetric heap: every allocation routine, what it returns and what it keeps (9.3).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

/* Symmetric means: what I put at my address of it arrives in the neighbour's copy. */
static void expect_symmetric(char* block, size_t bytes, const char* what) {
  CHECK(block != NULL, "%s gives memory", what);
  if (!block) return;
  const char mine = (char)('A' + me), wanted = (char)('A' + left());
  shmem_putmem(block, &mine, 1, right());
  if (bytes > 1) shmem_putmem(block + bytes - 1, &mine, 1, right());
  shmem_barrier_all();
  CHECK(block[0] == wanted && block[bytes - 1] == wanted, "%s: first and last byte arrive", what);
  shmem_barrier_all();
}

static void blocks_are_symmetric_and_aligned_for_every_type(void) {
  for (size_t bytes = 1; bytes < 100000; bytes = bytes * 3 + 1) {
    char* block = shmem_malloc(bytes);
    CHECK((uintptr_t)block % 16 == 0, "%zu bytes at %p", bytes, (void*)block);
    expect_symmetric(block, bytes, "malloc");
    shmem_free(block);
  }
}

/* These need no partner, so only one PE makes them: no barrier may hide inside. */
static void nothing_is_done_without_a_barrier(void) {
  if (me == npes - 1) {
    CHECK(shmem_malloc(0) == NULL, "malloc(0)");
    CHECK(shmem_calloc(0, 8) == NULL && shmem_calloc(8, 0) == NULL, "calloc of nothing");
    CHECK(shmem_align(64, 0) == NULL, "align of nothing");
    CHECK(shmem_malloc_with_hints(0, SHMEM_MALLOC_ATOMICS_REMOTE) == NULL, "malloc_with_hints(0)");
    shmem_free(NULL);
  }
  shmem_barrier_all();
}

static void calloc_gives_zeros_even_on_used_memory(void) {
  enum { BYTES = 70000 };
  unsigned char* block = shmem_malloc(BYTES);
  memset(block, 0xff, BYTES);
  shmem_free(block);
  block = shmem_calloc(BYTES / 7, 7);
  size_t nonzero = 0;
  for (size_t i = 0; i < BYTES; ++i) nonzero += block[i] != 0;
  CHECK(nonzero == 0, "%zu bytes of calloc are not zero", nonzero);
  shmem_barrier_all();
  shmem_free(block);
}

/* Zeroed before anyone can write into it: what arrives right after the call must stay. */
static void calloc_does_not_wipe_what_arrives_afterwards(void) {
  for (int round = 0; round < 50; ++round) {
    long* word = shmem_calloc(1000, sizeof *word);
    shmem_long_p(word + 500, me + 1, right());
    shmem_barrier_all();
    CHECK(word[500] == left() + 1, "round %d: an early put was wiped", round);
    shmem_barrier_all();
    word[500] = -1;
    shmem_free(word);
  }
}

static void align_aligns(void) {
  for (size_t alignment = sizeof(void*); alignment <= (size_t)1 << 26; alignment *= 2) {
    char *odd = shmem_malloc(8), *block = shmem_align(alignment, 24);
    CHECK((uintptr_t)block % alignment == 0, "%p aligned to %zu", (void*)block, alignment);
    expect_symmetric(block, 24, "align");
    shmem_free(odd);
    shmem_free(block);
  }
}

static char* grow(char* block, size_t before, size_t after) {
  for (size_t i = 0; i < before; ++i) block[i] = (char)(i * 7 + me);
  shmem_barrier_all();
  char* moved = shmem_realloc(block, after);
  const size_t kept = before < after ? before : after;
  size_t wrong = 0;
  CHECK(moved != NULL, "realloc from %zu to %zu", before, after);
  for (size_t i = 0; moved && i < kept; ++i) wrong += moved[i] != (char)(i * 7 + me);
  CHECK(wrong == 0, "realloc from %zu to %zu loses %zu bytes", before, after, wrong);
  shmem_barrier_all();
  expect_symmetric(moved, after, "realloc");
  return moved;
}

static void realloc_keeps_the_contents(void) {
  char* block = shmem_realloc(NULL, 100);
  block = grow(block, 100, 200000);
  char* wall = shmem_malloc(64);
  block = grow(block, 200000, 400000);
  block = grow(block, 400000, 50);
  block = grow(block, 50, 51);
  CHECK(shmem_realloc(block, 0) == NULL, "realloc to 0 frees");
  shmem_free(wall);
}

static void hints_are_combinable(void) {
  CHECK((SHMEM_MALLOC_ATOMICS_REMOTE & SHMEM_MALLOC_SIGNAL_REMOTE) == 0, "hints are separate bits");
  CHECK(SHMEM_MALLOC_ATOMICS_REMOTE != 0 && SHMEM_MALLOC_SIGNAL_REMOTE != 0, "hints are not zero");
  const long hints[] = {0, SHMEM_MALLOC_ATOMICS_REMOTE, SHMEM_MALLOC_SIGNAL_REMOTE,
                        SHMEM_MALLOC_ATOMICS_REMOTE | SHMEM_MALLOC_SIGNAL_REMOTE};
  for (int i = 0; i < 4; ++i) {
    char* block = shmem_malloc_with_hints(1000, hints[i]);
    expect_symmetric(block, 1000, "malloc_with_hints");
    block = shmem_realloc(block, 3000);
    expect_symmetric(block, 3000, "realloc of hinted memory");
    shmem_free(block);
  }
}

static void blocks_do_not_overlap(void) {
  enum { BLOCKS = 60 };
  unsigned char* block[BLOCKS];
  size_t bytes[BLOCKS];
  for (int i = 0; i < BLOCKS; ++i) {
    bytes[i] = 1 + (i * 7919) % 5000;
    block[i] = i % 3 ? shmem_malloc(bytes[i]) : shmem_align(256, bytes[i]);
    memset(block[i], i + 1, bytes[i]);
  }
  for (int i = 0; i < BLOCKS; ++i) {
    size_t wrong = 0;
    for (size_t k = 0; k < bytes[i]; ++k) wrong += block[i][k] != i + 1;
    CHECK(wrong == 0, "%zu bytes of block %d were overwritten", wrong, i);
  }
  for (int i = 0; i < BLOCKS; ++i) shmem_free(block[(i * 37) % BLOCKS]);
}

/* free has its barrier on entry: a PE that is late must still find its put's target alive. */
static void free_waits_for_everybody(void) {
  for (int round = 0; round < 100; ++round) {
    long* block = shmem_malloc(8000);
    for (int i = me; i < 1000; i += npes) shmem_long_p(block + i, i, right());
    shmem_free(block);
    long* other = shmem_calloc(1000, sizeof *other);
    for (int i = 0; i < 1000; ++i) CHECK(other[i] == 0, "a put into freed memory arrived late: %d", i);
    shmem_free(other);
  }
}

int main(void) {
  begin();
  blocks_are_symmetric_and_aligned_for_every_type();
  nothing_is_done_without_a_barrier();
  calloc_gives_zeros_even_on_used_memory();
  calloc_does_not_wipe_what_arrives_afterwards();
  align_aligns();
  realloc_keeps_the_contents();
  hints_are_combinable();
  blocks_do_not_overlap();
  free_waits_for_everybody();
  return end();
}
