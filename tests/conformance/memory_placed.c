/* Atrium's hints for memory nodes (shmemx.h): blocks get the policy, on pages of their own, at the same offset on all PEs, and
 * leave none behind. One memory node is enough: the kernel tells which policy an address has.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * usage: memory_placed [refused | WISH NODE]
 *   refused     the kernel lets nobody place memory, as in a container
 *   WISH NODE   on a machine with two memory nodes (tests/rdma/memory_nodes.sh): a block that wishes none, fast or spread has
 *               its pages on NODE, also where pages of another node were there before */
#define _DEFAULT_SOURCE
#include <shmemx.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "check.h"

enum {
  mode_default = 0,
  mode_preferred = 1,
  mode_interleave = 3,
  of_address = 2,
  node_of_address = 3,
  node_bits = 1024
};
#define MIB ((size_t)1 << 20)

static size_t page;
static char* base; /* the first block: what the others' offsets are counted from */

/* The mode of the policy that rules an address; -1 when the kernel does not say. */
static int mode_at(const void* address) {
  unsigned long nodes[node_bits / 64 + 1];
  int mode = -1;
  return syscall(SYS_get_mempolicy, &mode, nodes, (unsigned long)node_bits, address, (long)of_address) == 0
             ? mode
             : -1;
}
static int node_at(const void* address) {
  int node = -1;
  syscall(SYS_get_mempolicy, &node, NULL, 0L, address, (long)node_of_address);
  return node;
}

static void expect_mode(const char* begin, size_t bytes, int wanted, const char* what) {
  const size_t places[] = {0, bytes / 2, bytes - 1};
  for (int i = 0; i < 3; ++i)
    CHECK(mode_at(begin + places[i]) == wanted, "%s of %zu bytes has policy %d at %zu, not %d", what, bytes,
          mode_at(begin + places[i]), places[i], wanted);
}

/* At the same offset everywhere: the neighbour's copy is where my address says, and it says that its own is there. */
static void expect_symmetric(char* block, size_t bytes) {
  static long offsets[2]; /* the neighbour's */
  static char ends[2];
  const long offset = block - base;
  const char mine = (char)('A' + me), wanted = (char)('A' + left());
  shmem_barrier_all(); /* what was in it has been looked at */
  shmem_long_p(&offsets[0], offset, right());
  shmem_putmem(block, &mine, 1, right());
  shmem_putmem(block + bytes - 1, &mine, 1, right());
  shmem_barrier_all();
  CHECK(offsets[0] == offset, "the block of PE %d is at %ld, mine at %ld", left(), offsets[0], offset);
  CHECK(block[0] == wanted && block[bytes - 1] == wanted, "first and last byte of %zu arrive", bytes);
  shmem_getmem(&ends[0], block, 1, right());
  shmem_getmem(&ends[1], block + bytes - 1, 1, right());
  CHECK(ends[0] == mine && ends[1] == mine, "they are read back");
  shmem_barrier_all();
}

static char* place(size_t bytes, long hints) {
  char* block = shmem_malloc_with_hints(bytes, hints);
  CHECK(block != NULL, "%zu bytes with hints %ld", bytes, hints);
  if (!block) shmem_global_exit(1);
  return block;
}

static void a_block_is_interleaved_and_its_neighbours_are_not(void) {
  const size_t sizes[] = {1, 100, page, page + 1, 70000, 2 * MIB, 2 * MIB + 1, 5 * MIB, 40 * MIB};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    char* before = shmem_malloc(100);
    char* block = place(sizes[i], SHMEMX_MALLOC_INTERLEAVE);
    char* after = shmem_malloc(100);
    CHECK((uintptr_t)block % page == 0, "%zu bytes begin on a page: %p", sizes[i], (void*)block);
    CHECK(sizes[i] < 2 * MIB || (uintptr_t)block % (2 * MIB) == 0, "%zu bytes begin on a huge page: %p",
          sizes[i], (void*)block);
    expect_mode(block, sizes[i], mode_interleave, "an interleaved block");
    expect_mode(before, 100, mode_default, "the block before");
    expect_mode(after, 100, mode_default, "the block after");
    expect_symmetric(block, sizes[i]);
    expect_symmetric(after, 100);
    shmem_free(block);
    expect_mode(block, sizes[i], mode_default, "what was a block");
    shmem_free(before);
    shmem_free(after);
  }
}

/* The kernel keeps it with the segment. */
static void a_peer_finds_the_policy_too(void) {
  char* block = place(3 * page, SHMEMX_MALLOC_INTERLEAVE);
  for (int pe = 0; pe < npes; ++pe)
    if (shares(pe)) expect_mode(shmem_ptr(block, pe), 3 * page, mode_interleave, "a peer's block");
  shmem_free(block);
}

static void fill(char* block, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) block[i] = (char)(i * 7 + me);
}
static void expect_filled(const char* block, size_t bytes) {
  size_t wrong = 0;
  for (size_t i = 0; i < bytes; ++i) wrong += block[i] != (char)(i * 7 + me);
  CHECK(wrong == 0, "%zu of %zu bytes are lost", wrong, bytes);
}

static void realloc_keeps_contents_and_policy(void) {
  char* block = place(2 * page, SHMEMX_MALLOC_INTERLEAVE);
  fill(block, 2 * page);
  char* grown = shmem_realloc(block, 9 * page + 1);
  CHECK(grown == block, "there is room behind it");
  expect_filled(grown, 2 * page);
  expect_mode(grown, 9 * page + 1, mode_interleave, "a grown block");
  expect_mode(grown + 10 * page, page, mode_default, "what is behind it");
  char* shrunk = shmem_realloc(grown, page + 1);
  CHECK(shrunk == block, "it stays");
  expect_filled(shrunk, page + 1);
  expect_mode(shrunk, 2 * page, mode_interleave, "a shrunk block");
  expect_mode(shrunk + 2 * page, 8 * page, mode_default, "what was cut off");
  char* wall = shmem_malloc(page);
  char* moved = shmem_realloc(shrunk, 3 * MIB);
  CHECK(moved != shrunk, "it moves");
  expect_filled(moved, page + 1);
  expect_mode(moved, 3 * MIB, mode_interleave, "a moved block");
  expect_mode(block, 2 * page, mode_default, "where it was");
  expect_symmetric(moved, 3 * MIB);
  shmem_free(moved);
  shmem_free(wall);
}

/* None that is faster than the others is known where tests run; where it is, the block prefers it. */
static void high_bandwidth_is_advice(void) {
  char* fast = place(5000, SHMEMX_MALLOC_HIGH_BANDWIDTH);
  char* either =
      place(5000, SHMEMX_MALLOC_HIGH_BANDWIDTH | SHMEMX_MALLOC_INTERLEAVE | SHMEM_MALLOC_SIGNAL_REMOTE);
  const int mode = mode_at(fast);
  CHECK(mode == mode_default || mode == mode_preferred, "policy %d", mode);
  expect_mode(either, 5000, mode == mode_preferred ? mode_preferred : mode_interleave, "the second choice");
  CHECK((uintptr_t)fast % page == 0, "the offset is the same whether the hint is followed or not");
  expect_symmetric(fast, 5000);
  expect_symmetric(either, 5000);
  shmem_free(fast);
  shmem_free(either);
}

static void hints_of_the_specification_place_nothing(void) {
  char* block = place(100, SHMEM_MALLOC_ATOMICS_REMOTE | SHMEM_MALLOC_SIGNAL_REMOTE);
  char* next = place(100, SHMEM_MALLOC_ATOMICS_REMOTE);
  CHECK(next - block == 128, "they take cache lines, not pages: %ld", (long)(next - block));
  expect_mode(block, 100, mode_default, "a block for signals");
  shmem_free(block);
  shmem_free(next);
}

/* Which nobody frees: shmem_finalize does. */
static void a_heap_that_is_left_is_clean_for_the_next(void) {
  char* left_behind = place(4 * MIB, SHMEMX_MALLOC_INTERLEAVE);
  fill(left_behind, 4 * MIB);
  shmem_finalize();
  begin();
  char* reused = shmem_malloc(16 * MIB);
  CHECK(reused <= left_behind && left_behind + 4 * MIB <= reused + 16 * MIB, "it is where the other one was");
  expect_mode(left_behind, 4 * MIB, mode_default, "a block of the next heap");
  shmem_free(reused);
}

/* By checks alone, which say so once for each block. */
static void nothing_is_placed_but_all_works(void) {
  char* block = place(3 * MIB, SHMEMX_MALLOC_INTERLEAVE);
  expect_symmetric(block, 3 * MIB);
  block = shmem_realloc(block, 7 * MIB);
  expect_symmetric(block, 7 * MIB);
  shmem_free(block);
}

static void pages_lie_on_node(const char* wish, int node) {
  const long hints = strcmp(wish, "none") == 0   ? 0
                     : strcmp(wish, "fast") == 0 ? SHMEMX_MALLOC_HIGH_BANDWIDTH
                                                 : SHMEMX_MALLOC_INTERLEAVE;
  const size_t bytes = 8 * page;
  char* used = shmem_malloc(bytes);
  fill(used, bytes);
  shmem_barrier_all();
  static char seen;
  for (size_t i = 0; i < 8; ++i)
    shmem_getmem(&seen, used + i * page, 1, right()); /* the kernel moves no shared page */
  shmem_free(used);
  char* block = place(bytes, hints);
  fill(block, bytes);
  for (size_t i = 0; i < 8; ++i) {
    const int wanted = hints == SHMEMX_MALLOC_INTERLEAVE ? (node_at(block) + (int)i) % 2 : node;
    CHECK(node_at(block + i * page) == wanted, "page %zu is on node %d, not %d", i, node_at(block + i * page),
          wanted);
  }
  shmem_free(block);
  used = shmem_malloc(bytes);
  fill(used, bytes);
  CHECK(node_at(used) == 0, "afterwards memory lies near again, not on node %d", node_at(used));
  printf("wishes %s: on node %d\n", wish, node);
}

int main(int argc, char** argv) {
  begin();
  page = (size_t)sysconf(_SC_PAGESIZE);
  base = shmem_malloc(8);
  if (argc == 2) {
    nothing_is_placed_but_all_works();
    return end();
  }
  if (mode_at(base) == -1) {
    if (me == 0) printf("this kernel has no memory nodes, or does not tell\n");
    shmem_finalize();
    return 77;
  }
  if (argc == 3) {
    pages_lie_on_node(argv[1], atoi(argv[2]));
    return end();
  }
  a_block_is_interleaved_and_its_neighbours_are_not();
  a_peer_finds_the_policy_too();
  realloc_keeps_contents_and_policy();
  high_bandwidth_is_advice();
  hints_of_the_specification_place_nothing();
  a_heap_that_is_left_is_clean_for_the_next();
  return end();
}
