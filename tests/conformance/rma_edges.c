/* Zero lengths with null pointers, transfers to oneself, mixtures of heap and globals, and large transfers
 * (9.6, Annex C).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"
#include "types.h"

static void zero_lengths_do_nothing_and_accept_null(void) {
#define ZERO(NAME, TYPE)                                 \
  shmem_##NAME##_put(NULL, NULL, 0, right());            \
  shmem_##NAME##_get(NULL, NULL, 0, right());            \
  shmem_##NAME##_put_nbi(NULL, NULL, 0, right());        \
  shmem_##NAME##_get_nbi(NULL, NULL, 0, right());        \
  shmem_##NAME##_iput(NULL, NULL, 1, 1, 0, right());     \
  shmem_##NAME##_iget(NULL, NULL, 1, 1, 0, right());     \
  shmem_##NAME##_ibput(NULL, NULL, 2, 2, 2, 0, right()); \
  shmem_##NAME##_ibget(NULL, NULL, 2, 2, 2, 0, right());
  RMA_TYPES(ZERO)
#define ZERO_BITS(BITS)                           \
  shmem_put##BITS(NULL, NULL, 0, right());        \
  shmem_get##BITS(NULL, NULL, 0, right());        \
  shmem_iput##BITS(NULL, NULL, 1, 1, 0, right()); \
  shmem_iget##BITS(NULL, NULL, 1, 1, 0, right());
  SIZES(ZERO_BITS)
  shmem_putmem(NULL, NULL, 0, right());
  shmem_getmem(NULL, NULL, 0, right());
}

static void a_zero_length_leaves_its_target_alone(void) {
  static long target = 42;
  long other = 7;
  shmem_long_put(&target, &other, 0, right());
  shmem_long_get(&other, &target, 0, right());
  shmem_barrier_all();
  CHECK(target == 42 && other == 7, "target is %ld, other %ld", target, other);
}

static void a_pe_can_put_to_itself(void) {
  static int target[4];
  int origin[4] = {1, 2, 3, 4}, back[4] = {0};
  shmem_int_put(target, origin, 4, me);
  shmem_quiet();
  shmem_int_get(back, target, 4, me);
  CHECK(memcmp(back, origin, sizeof back) == 0, "what was put to myself can be got");
}

/* Source and destination may each be heap, global, stack or private. */
static void every_mixture_of_memories_works(void) {
  static long global[2];
  long *heap = shmem_calloc(2, sizeof *heap), *private_memory = malloc(2 * sizeof(long)), stack[2];
  global[0] = heap[0] = private_memory[0] = stack[0] = me + 100;
  shmem_barrier_all();
  long* const sources[] = {global, heap, private_memory, stack};
  for (int i = 0; i < 4; ++i) {
    shmem_long_put(global + 1, sources[i], 1, right());
    shmem_long_put(heap + 1, sources[i], 1, right());
    shmem_barrier_all();
    CHECK(global[1] == left() + 100 && heap[1] == left() + 100, "puts from kind %d", i);
    shmem_barrier_all();
    global[1] = heap[1] = 0;
    shmem_barrier_all();
  }
  for (int i = 0; i < 4; ++i) {
    shmem_long_get(sources[i] + 1, i % 2 ? global : heap, 1, left());
    CHECK(sources[i][1] == left() + 100, "gets into kind %d", i);
  }
  shmem_barrier_all();
  shmem_free(heap);
  free(private_memory);
}

/* Sizes around every threshold a copy routine may have. */
static void large_transfers_are_exact(void) {
  enum { LARGEST = (4 << 20) + 64 };
  unsigned char *heap = shmem_malloc(LARGEST), *origin = malloc(LARGEST);
  for (size_t size = 64; size <= LARGEST - 64; size *= 4) {
    for (int shift = 0; shift < 3; ++shift) {
      const size_t bytes = size + shift * 21 - 21;
      memset(heap, 0, LARGEST);
      for (size_t i = 0; i < bytes; ++i) origin[i] = (unsigned char)(i * 13 + i / 255 + me + shift);
      shmem_barrier_all();
      shmem_putmem(heap + shift, origin, bytes, right());
      shmem_barrier_all();
      size_t wrong = 0;
      for (size_t i = 0; i < bytes; ++i)
        wrong += heap[shift + i] != (unsigned char)(i * 13 + i / 255 + left() + shift);
      CHECK(wrong == 0 && heap[shift + bytes] == 0, "%zu of %zu bytes put at +%d are wrong", wrong, bytes,
            shift);
      shmem_getmem(origin, heap + shift, bytes, me);
      CHECK(memcmp(origin, heap + shift, bytes) == 0, "getmem of %zu bytes", bytes);
      shmem_barrier_all();
    }
  }
  free(origin);
  shmem_free(heap);
}

int main(void) {
  begin();
  zero_lengths_do_nothing_and_accept_null();
  a_zero_length_leaves_its_target_alone();
  a_pe_can_put_to_itself();
  every_mixture_of_memories_works();
  large_transfers_are_exact();
  return end();
}
