/* Comes and goes: the library is initialised and finalized again and again, with little or much in between.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "random.h"

static long word;

int main(void) {
  for (long round = 0; round < test_rounds(npes > 8 ? 10 : 60); ++round) {
    begin();
    word = -1;
    shmem_barrier_all();
    shmem_long_p(&word, round, right());
    if (round % 3 == 1) {
      long* block = shmem_calloc(1000 * (round + 1), sizeof *block);
      shmem_long_put(block, block + 500, 500, right());
      if (round % 2) shmem_free(block);
    }
    shmem_barrier_all();
    CHECK(word == round, "round %ld brings %ld", round, word);
    shmem_finalize();
  }
  return verdict();
}
