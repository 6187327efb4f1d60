/* PE 0 writes or reads a block of the last PE's memory that begins in the heap and does not end there: `overrun HOW`, with
 * SHMEM_SYMMETRIC_SIZE=16M.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "../conformance/check.h"

enum {
  HEAP = 16 << 20,
  LARGE = 256 << 10
}; /* bytes: more than messages carry, so that the network itself writes and reads */

int main(int argc, char** argv) {
  begin();
  if (argc != 2) return 2;
  const char* how = argv[1];
  char* const all = shmem_malloc(HEAP);
  CHECK(all != NULL, "a block of %d bytes is all of the heap", HEAP);
  char* const near_the_end = all + HEAP - 4096;
  static char mine[LARGE];
  const int last = npes - 1;
  if (me == 0) {
    if (!strcmp(how, "put")) shmem_putmem(near_the_end, mine, LARGE, last);
    if (!strcmp(how, "put_nbi")) shmem_putmem_nbi(near_the_end, mine, LARGE, last);
    if (!strcmp(how, "small_put")) shmem_putmem(near_the_end + 4000, mine, 8 << 10, last);
    if (!strcmp(how, "get")) shmem_getmem(mine, near_the_end, LARGE, last);
    if (!strcmp(how, "iput")) shmem_char_iput(near_the_end, mine, 100, 1, 1000, last);
    if (!strcmp(how, "wrapping_iput")) shmem_long_iput((long*)all, (long*)mine, 1L << 58, 1, 9, last);
    if (!strcmp(how, "iget")) shmem_char_iget(mine, near_the_end, 1, 100, 1000, last);
    if (!strcmp(how, "nothing")) shmem_putmem(near_the_end + LARGE, mine, 0, last);
  }
  return end();
}
