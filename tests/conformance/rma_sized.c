/* The untyped routines: elements of 8 to 128 bits, and bytes (9.6).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"
#include "types.h"

enum { COUNT = 9, BLOCK = 2, BLOCKS = 3, LARGEST = 16, ROOM = 64 * LARGEST };

static shmem_ctx_t ctx;
static _Alignas(16) unsigned char target[ROOM], origin[ROOM], result[ROOM];

static void prepare(void) {
  memset(target, 0, ROOM);
  memset(result, 0, ROOM);
  for (int i = 0; i < ROOM; ++i) origin[i] = VALUE(unsigned char, me, i);
  shmem_barrier_all();
}

/* `blocks` runs of `block` bytes, `dst` bytes apart in `got` and `sst` bytes apart in the left neighbour's
 * origin. */
static void expect(const unsigned char* got, int block, int blocks, int dst, int sst, const char* call) {
  for (int i = 0; i < ROOM; ++i) {
    const int b = i / dst, k = i % dst;
    const int written = b < blocks && k < block;
    CHECK(got[i] == (written ? VALUE(unsigned char, left(), b* sst + k) : 0), "%s: byte %d", call, i);
  }
  shmem_barrier_all();
}

#define ROUND(GOT, BLOCK_BYTES, COUNT_BLOCKS, DST, SST, CALL) \
  do {                                                        \
    prepare();                                                \
    CALL;                                                     \
    shmem_quiet();                                            \
    shmem_ctx_quiet(ctx);                                     \
    shmem_barrier_all();                                      \
    expect(GOT, BLOCK_BYTES, COUNT_BLOCKS, DST, SST, #CALL);  \
  } while (0)

#define WHOLE(GOT, BYTES, CALL) ROUND(GOT, BYTES, 1, ROOM, ROOM, CALL)

#define DEFINE(BITS)                                                                                        \
  static void contiguous_##BITS(void) {                                                                     \
    const int bytes = COUNT * BITS / 8;                                                                     \
    WHOLE(target, bytes, shmem_put##BITS(target, origin, COUNT, right()));                                  \
    WHOLE(target, bytes, shmem_ctx_put##BITS(ctx, target, origin, COUNT, right()));                         \
    WHOLE(target, bytes, shmem_put##BITS##_nbi(target, origin, COUNT, right()));                            \
    WHOLE(target, bytes, shmem_ctx_put##BITS##_nbi(ctx, target, origin, COUNT, right()));                   \
    WHOLE(result, bytes, shmem_get##BITS(result, origin, COUNT, left()));                                   \
    WHOLE(result, bytes, shmem_ctx_get##BITS(ctx, result, origin, COUNT, left()));                          \
    WHOLE(result, bytes, shmem_get##BITS##_nbi(result, origin, COUNT, left()));                             \
    WHOLE(result, bytes, shmem_ctx_get##BITS##_nbi(ctx, result, origin, COUNT, left()));                    \
  }                                                                                                         \
  static void strided_##BITS(void) {                                                                        \
    const int n = BITS / 8;                                                                                 \
    ROUND(target, n, COUNT, 3 * n, 2 * n, shmem_iput##BITS(target, origin, 3, 2, COUNT, right()));          \
    ROUND(target, n, COUNT, 3 * n, 2 * n, shmem_ctx_iput##BITS(ctx, target, origin, 3, 2, COUNT, right())); \
    ROUND(result, n, COUNT, n, 4 * n, shmem_iget##BITS(result, origin, 1, 4, COUNT, left()));               \
    ROUND(result, n, COUNT, n, 4 * n, shmem_ctx_iget##BITS(ctx, result, origin, 1, 4, COUNT, left()));      \
  }                                                                                                         \
  static void blocked_##BITS(void) {                                                                        \
    const int n = BITS / 8, run = BLOCK * n;                                                                \
    ROUND(target, run, BLOCKS, 4 * n, 3 * n,                                                                \
          shmem_ibput##BITS(target, origin, 4, 3, BLOCK, BLOCKS, right()));                                 \
    ROUND(target, run, BLOCKS, 4 * n, 3 * n,                                                                \
          shmem_ctx_ibput##BITS(ctx, target, origin, 4, 3, BLOCK, BLOCKS, right()));                        \
    ROUND(result, run, BLOCKS, 2 * n, 5 * n,                                                                \
          shmem_ibget##BITS(result, origin, 2, 5, BLOCK, BLOCKS, left()));                                  \
    ROUND(result, run, BLOCKS, 2 * n, 5 * n,                                                                \
          shmem_ctx_ibget##BITS(ctx, result, origin, 2, 5, BLOCK, BLOCKS, left()));                         \
  }

SIZES(DEFINE)

static void mem_forms_count_bytes(void) {
  WHOLE(target, 101, shmem_putmem(target, origin, 101, right()));
  WHOLE(target, 101, shmem_ctx_putmem(ctx, target, origin, 101, right()));
  WHOLE(target, 101, shmem_putmem_nbi(target, origin, 101, right()));
  WHOLE(target, 101, shmem_ctx_putmem_nbi(ctx, target, origin, 101, right()));
  WHOLE(result, 101, shmem_getmem(result, origin, 101, left()));
  WHOLE(result, 101, shmem_ctx_getmem(ctx, result, origin, 101, left()));
  WHOLE(result, 101, shmem_getmem_nbi(result, origin, 101, left()));
  WHOLE(result, 101, shmem_ctx_getmem_nbi(ctx, result, origin, 101, left()));
}

/* That the compiler does not know: a few bytes, a word, pieces that meet or overlap, and more than is copied in place. */
static void any_number_of_bytes(void) {
  for (volatile int known_later = 0; known_later <= 130; ++known_later) {
    const int bytes = known_later;
    WHOLE(target, bytes, shmem_putmem(target, origin, (size_t)bytes, right()));
    WHOLE(result, bytes, shmem_getmem(result, origin, (size_t)bytes, left()));
  }
}

int main(void) {
  begin();
  CHECK(shmem_ctx_create(0, &ctx) == 0, "a context can be made");
#define RUN(BITS) contiguous_##BITS(), strided_##BITS(), blocked_##BITS();
  SIZES(RUN)
  mem_forms_count_bytes();
  any_number_of_bytes();
  shmem_ctx_destroy(ctx);
  return end();
}
