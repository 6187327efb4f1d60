/* Blocks that were freed and are taken again are the memory that other nodes reach: also where the network has made the heap
 * present and knows its pages, of which none may then go back to the system. Blocks large enough to go back, and hinted ones.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <shmemx.h>

#include "../conformance/check.h"

enum { block_bytes = 40 << 20, put_bytes = 1 << 20 };
static char data[put_bytes];

static void round_trip(int round, long hints) {
  char* block = shmem_malloc_with_hints(block_bytes, hints);
  CHECK(block != NULL, "round %d: a block of %d bytes", round, block_bytes);
  if (!block) shmem_global_exit(1);
  memset(block, 0, put_bytes);
  memset(data, 1 + round * 16 + me, put_bytes);
  shmem_barrier_all();
  shmem_putmem(block, data, put_bytes, right());
  shmem_barrier_all();
  size_t wrong = 0;
  for (size_t i = 0; i < put_bytes; ++i) wrong += block[i] != 1 + round * 16 + left();
  CHECK(wrong == 0, "round %d, hints %ld: %zu bytes have not arrived", round, hints, wrong);
  memset(data, 0, put_bytes);
  shmem_getmem(data, block, put_bytes, right());
  wrong = 0;
  for (size_t i = 0; i < put_bytes; ++i) wrong += data[i] != 1 + round * 16 + me;
  CHECK(wrong == 0, "round %d, hints %ld: %zu bytes are read otherwise", round, hints, wrong);
  shmem_free(block);
}

int main(void) {
  begin();
  const long hints[] = {0, 0, SHMEMX_MALLOC_INTERLEAVE, SHMEMX_MALLOC_HIGH_BANDWIDTH, 0};
  for (int round = 0; round < 5; ++round) round_trip(round, hints[round]);
  return end();
}
