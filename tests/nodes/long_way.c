/* A word for a PE of the other node, and a barrier: few round trips, the first of which opens a connection.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "../conformance/check.h"

static long word;

int main(int argc, char** argv) {
  (void)argc, (void)argv;
  begin();
  shmem_long_p(&word, me + 1, (me + npes / 2) % npes);
  shmem_barrier_all();
  CHECK(word == (me + npes / 2) % npes + 1, "%ld has come", word);
  return end();
}
