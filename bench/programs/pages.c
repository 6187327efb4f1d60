/* The first touch of memory: by its owner, and then by a peer.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory is new only once, so a few blocks are each allocated and touched once, a word per 4 KiB; the figures
 * are ns for each 4 KiB. Whether 2 MiB pages lie under it is the library's setting (Atrium:
 * ATRIUM_HUGE_PAGES). */
#include "measure.h"

enum {
  blocks = 5,
  block_bytes = 16 * MIB,
  page_bytes = 4 * KIB,
  pages = block_bytes / page_bytes,
  owner = 1
};
enum { allocate, by_owner, by_peer, again, steps };

static double taken[steps][blocks]; /* in ns, by whoever took it */

static void touch(char* block, int pe) {
  for (size_t i = 0; i < block_bytes; i += page_bytes) shmem_long_p((long*)(block + i), 1, pe);
  shmem_quiet();
}

static void touch_block(int number) {
  double begin = now_ns();
  char* block = bench_allocate(block_bytes);
  taken[allocate][number] = now_ns() - begin;
  shmem_barrier_all();
  for (int step = by_owner; step < steps; step++) {
    begin = now_ns();
    if (bench.me == (step == by_owner ? owner : 0)) touch(block, owner);
    taken[step][number] = now_ns() - begin;
    shmem_barrier_all();
  }
}

int main(int argc, char** argv) {
  static const char* const names[steps] = {"pages.allocate", "pages.touch_by_owner", "pages.touch_by_peer",
                                           "pages.touch_again"};
  bench_begin(argc, argv, 2);
  for (int i = 0; i < blocks; i++) touch_block(i);
  for (int step = 0; step < steps && bench.me == 0; step++) {
    if (step == by_owner) shmem_getmem(taken[step], taken[step], sizeof taken[step], owner);
    bench_report(names[step], page_bytes, middle(taken[step], blocks) / pages, "ns");
  }
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
