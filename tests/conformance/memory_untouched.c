/* Memory that is handed out is there only once it is touched, but for the huge pages that each PE may take ahead.
 * SPDX-License-Identifier: BSD-3-Clause */
#define _DEFAULT_SOURCE
#include <shmem.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"

#define MIB ((size_t)1 << 20)
#define AHEAD (64 * MIB) /* src/arena/huge_pages.cpp */

/* Bytes of the block that are in memory, whoever touched them. */
static size_t there(const char* block, size_t size) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), begin = ((size_t)block + page - 1) / page * page;
  const size_t pages = ((size_t)block + size - begin) / page;
  unsigned char* seen = malloc(pages);
  CHECK(mincore((void*)begin, pages * page, seen) == 0, "mincore looks at a block of the heap");
  size_t count = 0;
  for (size_t i = 0; i < pages; i++) count += seen[i] & 1;
  free(seen);
  return count * page;
}

static void one_large_block(char* block, size_t size, const char* routine) {
  CHECK(block != NULL, "%s has %zu MiB", routine, size / MIB);
  if (!block) return;
  CHECK(there(block, size) <= 4096, "%s of %zu MiB takes a page at most, not %zu KiB", routine, size / MIB,
        there(block, size) >> 10);
  shmem_barrier_all();
  for (size_t i = 0; i < 4 * MIB; i += 4096) block[i] = 1;
  CHECK(there(block, size) >= 4 * MIB - 4096, "what is touched is there");
  CHECK(there(block, size) <= 8 * MIB, "touching 4 MiB takes 4, not %zu", there(block, size) / MIB);
  shmem_free(block);
}

static void many_blocks(void) {
  enum { blocks = 20 };
  char* block[blocks];
  size_t taken = 0;
  for (int i = 0; i < blocks; i++) taken += there(block[i] = shmem_malloc(16 * MIB), 16 * MIB);
  CHECK(taken <= AHEAD, "blocks of 16 MiB take %zu MiB at most, not %zu", AHEAD / MIB, taken / MIB);
  for (int i = 0; i < blocks; i++) shmem_free(block[i]);
}

int main(void) {
  begin();
  one_large_block(shmem_malloc(1024 * MIB), 1024 * MIB, "shmem_malloc");
  one_large_block(shmem_calloc(1024, MIB), 1024 * MIB, "shmem_calloc");
  one_large_block(shmem_align(4096, 512 * MIB), 512 * MIB, "shmem_align");
  one_large_block(shmem_realloc(shmem_malloc(8), 512 * MIB), 512 * MIB, "shmem_realloc");
  many_blocks();
  return end();
}
