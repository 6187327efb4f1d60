/* iput, iget, ibput and ibget for every type: strides count elements between (block) starts
 * (9.6.4-9.6.5, 9.6.8-9.6.9).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"
#include "types.h"

enum { COUNT = 11, BLOCK = 3, BLOCKS = 5, ROOM = 64 };

static shmem_ctx_t ctx;

/* How a strided transfer spreads its elements: element k of block b lies at stride * b + k. */
typedef struct {
  int block, blocks, dest_stride, source_stride;
} Shape;

/* The source index that belongs to dest index i, or -1 where nothing may be written. */
static int source_of(Shape shape, int i) {
  const int block = i / shape.dest_stride, k = i % shape.dest_stride;
  return block < shape.blocks && k < shape.block ? block * shape.source_stride + k : -1;
}

#define ROUND(NAME, SHAPE, GOT, CALL) \
  do {                                \
    NAME##_prepare(target);           \
    CALL;                             \
    shmem_ctx_quiet(ctx);             \
    shmem_barrier_all();              \
    NAME##_expect(GOT, SHAPE, #CALL); \
    shmem_barrier_all();              \
  } while (0)

#define DEFINE(NAME, TYPE)                                                                              \
  static TYPE NAME##_target[ROOM], NAME##_origin[ROOM], NAME##_result[ROOM];                            \
  static void NAME##_prepare(TYPE* target) {                                                            \
    for (int i = 0; i < ROOM; ++i) {                                                                    \
      target[i] = NAME##_result[i] = 0;                                                                 \
      NAME##_origin[i] = VALUE(TYPE, me, i);                                                            \
    }                                                                                                   \
    shmem_barrier_all();                                                                                \
  }                                                                                                     \
  static void NAME##_expect(const TYPE* got, Shape shape, const char* call) {                           \
    for (int i = 0; i < ROOM; ++i) {                                                                    \
      const int from = source_of(shape, i);                                                             \
      const TYPE wanted = from < 0 ? 0 : VALUE(TYPE, left(), from);                                     \
      CHECK(got[i] == wanted, "%s: element %d of the destination", call, i);                            \
    }                                                                                                   \
  }                                                                                                     \
  static void NAME##_elements(TYPE* target, int dst, int sst) {                                         \
    const Shape shape = {1, COUNT, dst, sst};                                                           \
    TYPE *origin = NAME##_origin, *result = NAME##_result;                                              \
    ROUND(NAME, shape, target, shmem_##NAME##_iput(target, origin, dst, sst, COUNT, right()));          \
    ROUND(NAME, shape, target, shmem_ctx_##NAME##_iput(ctx, target, origin, dst, sst, COUNT, right())); \
    ROUND(NAME, shape, result, shmem_##NAME##_iget(result, origin, dst, sst, COUNT, left()));           \
    ROUND(NAME, shape, result, shmem_ctx_##NAME##_iget(ctx, result, origin, dst, sst, COUNT, left()));  \
  }                                                                                                     \
  static void NAME##_blocks(TYPE* target, int dst, int sst) {                                           \
    const Shape shape = {BLOCK, BLOCKS, dst, sst};                                                      \
    TYPE *origin = NAME##_origin, *result = NAME##_result;                                              \
    ROUND(NAME, shape, target, shmem_##NAME##_ibput(target, origin, dst, sst, BLOCK, BLOCKS, right())); \
    ROUND(NAME, shape, target,                                                                          \
          shmem_ctx_##NAME##_ibput(ctx, target, origin, dst, sst, BLOCK, BLOCKS, right()));             \
    ROUND(NAME, shape, result, shmem_##NAME##_ibget(result, origin, dst, sst, BLOCK, BLOCKS, left()));  \
    ROUND(NAME, shape, result,                                                                          \
          shmem_ctx_##NAME##_ibget(ctx, result, origin, dst, sst, BLOCK, BLOCKS, left()));              \
  }                                                                                                     \
  static void NAME##_test(TYPE* heap) {                                                                 \
    NAME##_elements(NAME##_target, 3, 2);                                                               \
    NAME##_elements(heap, 1, 5);                                                                        \
    NAME##_elements(heap, 1, 1);                                                                        \
    NAME##_blocks(NAME##_target, 3, 3);                                                                 \
    NAME##_blocks(heap, 7, 4);                                                                          \
    NAME##_blocks(heap, 3, 9);                                                                          \
  }

RMA_TYPES(DEFINE)

/* bsize 1 is iput; nothing else about the two may differ. */
static void blocks_of_one_are_elements(void) {
  static long blocks[ROOM], elements[ROOM];
  long origin[ROOM];
  for (int i = 0; i < ROOM; ++i) origin[i] = me * ROOM + i;
  shmem_long_ibput(blocks, origin, 4, 3, 1, 9, right());
  shmem_long_iput(elements, origin, 4, 3, 9, right());
  shmem_barrier_all();
  CHECK(memcmp(blocks, elements, sizeof blocks) == 0, "ibput with blocks of one equals iput");
}

int main(void) {
  begin();
  CHECK(shmem_ctx_create(0, &ctx) == 0, "a context can be made");
  void* heap = shmem_malloc(ROOM * sizeof(long double));
#define RUN(NAME, TYPE) NAME##_test(heap);
  RMA_TYPES(RUN)
  blocks_of_one_are_elements();
  shmem_free(heap);
  shmem_ctx_destroy(ctx);
  return end();
}
