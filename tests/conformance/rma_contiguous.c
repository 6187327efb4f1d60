/* put, get, p, g and their nonblocking and context forms deliver every type, to heap and globals
 * (9.6.1-9.6.3, 9.6.6-7).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"
#include "types.h"

enum { COUNT = 37, GUARD = 3, ROOM = COUNT + 2 * GUARD };

static shmem_ctx_t ctx;

static void complete_all(void) {
  shmem_ctx_quiet(ctx);
  shmem_barrier_all();
}

/* Runs one way of writing `origin` to the right neighbour's target and checks what came from the left one. */
#define PUT_ROUND(NAME, CALL)                     \
  do {                                            \
    NAME##_prepare(target);                       \
    CALL;                                         \
    complete_all();                               \
    NAME##_expect(target + GUARD, left(), #CALL); \
    NAME##_expect_guards(target, #CALL);          \
  } while (0)

/* The same for reading the left neighbour's target. */
#define GET_ROUND(NAME, CALL)                     \
  do {                                            \
    memset(result, 0, sizeof result);             \
    CALL;                                         \
    complete_all();                               \
    NAME##_expect(result + GUARD, left(), #CALL); \
    NAME##_expect_guards(result, #CALL);          \
  } while (0)

#define FOR_ALL(CALL) \
  for (int i = 0; i < COUNT; ++i) CALL

#define DEFINE(NAME, TYPE)                                                                            \
  static TYPE NAME##_global[ROOM];                                                                    \
  static void NAME##_prepare(TYPE* target) {                                                          \
    for (int i = 0; i < ROOM; ++i) target[i] = 0;                                                     \
    shmem_barrier_all();                                                                              \
  }                                                                                                   \
  static void NAME##_expect(const TYPE* got, int from, const char* call) {                            \
    for (int i = 0; i < COUNT; ++i)                                                                   \
      CHECK(got[i] == VALUE(TYPE, from, i), "%s: element %d is not what PE %d holds", call, i, from); \
  }                                                                                                   \
  static void NAME##_expect_guards(const TYPE* all, const char* call) {                               \
    for (int i = 0; i < GUARD; ++i)                                                                   \
      CHECK(all[i] == 0 && all[ROOM - 1 - i] == 0, "%s: wrote outside its range", call);              \
  }                                                                                                   \
  static void NAME##_puts(TYPE* target) {                                                             \
    TYPE origin[COUNT], *to = target + GUARD;                                                         \
    FOR_ALL(origin[i] = VALUE(TYPE, me, i));                                                          \
    PUT_ROUND(NAME, shmem_##NAME##_put(to, origin, COUNT, right()));                                  \
    PUT_ROUND(NAME, shmem_##NAME##_put_nbi(to, origin, COUNT, right()));                              \
    PUT_ROUND(NAME, shmem_ctx_##NAME##_put(ctx, to, origin, COUNT, right()));                         \
    PUT_ROUND(NAME, shmem_ctx_##NAME##_put_nbi(ctx, to, origin, COUNT, right()));                     \
    PUT_ROUND(NAME, FOR_ALL(shmem_##NAME##_p(to + i, origin[i], right())));                           \
    PUT_ROUND(NAME, FOR_ALL(shmem_ctx_##NAME##_p(ctx, to + i, origin[i], right())));                  \
  }                                                                                                   \
  static void NAME##_gets(TYPE* target) {                                                             \
    TYPE result[ROOM];                                                                                \
    const TYPE* from = target + GUARD;                                                                \
    FOR_ALL(target[GUARD + i] = VALUE(TYPE, me, i));                                                  \
    shmem_barrier_all();                                                                              \
    GET_ROUND(NAME, shmem_##NAME##_get(result + GUARD, from, COUNT, left()));                         \
    GET_ROUND(NAME, shmem_##NAME##_get_nbi(result + GUARD, from, COUNT, left()); shmem_quiet());      \
    GET_ROUND(NAME, shmem_ctx_##NAME##_get(ctx, result + GUARD, from, COUNT, left()));                \
    GET_ROUND(NAME, shmem_ctx_##NAME##_get_nbi(ctx, result + GUARD, from, COUNT, left()));            \
    GET_ROUND(NAME, FOR_ALL(result[GUARD + i] = shmem_##NAME##_g(from + i, left())));                 \
    GET_ROUND(NAME, FOR_ALL(result[GUARD + i] = shmem_ctx_##NAME##_g(ctx, from + i, left())));        \
    shmem_barrier_all();                                                                              \
  }                                                                                                   \
  static void NAME##_test(void* heap) {                                                               \
    NAME##_puts(NAME##_global);                                                                       \
    NAME##_gets(NAME##_global);                                                                       \
    NAME##_puts((TYPE*)heap);                                                                         \
    NAME##_gets((TYPE*)heap);                                                                         \
  }

RMA_TYPES(DEFINE)

static void values_survive_to_the_last_bit(void) {
  static double number;
  static uint64_t bits;
  shmem_double_p(&number, 0x1.fffffffffffffp+1023, right());
  shmem_uint64_p(&bits, UINT64_C(0x8000000000000001), right());
  shmem_barrier_all();
  CHECK(number == 0x1.fffffffffffffp+1023, "the largest double arrives as %a", number);
  CHECK(bits == UINT64_C(0x8000000000000001), "64 bits arrive as %llx", (unsigned long long)bits);
}

/* The last element of an array and odd addresses: no routine may touch a byte more than it was told. */
static void mem_forms_work_at_any_alignment(void) {
  static char target[64];
  char origin[64];
  for (int offset = 0; offset < 9; ++offset) {
    for (int length = 0; length < 33; ++length) {
      memset(target, 0, sizeof target);
      memset(origin, 'a' + me, sizeof origin);
      shmem_barrier_all();
      shmem_putmem(target + offset, origin + 8 - offset / 2, length, right());
      shmem_barrier_all();
      for (int i = 0; i < 64; ++i) {
        const int inside = i >= offset && i < offset + length;
        CHECK(target[i] == (inside ? 'a' + left() : 0), "putmem of %d bytes at %d, byte %d", length, offset,
              i);
      }
      shmem_barrier_all();
    }
  }
}

static void every_pe_reaches_every_pe(void) {
  long* table = shmem_malloc(npes * sizeof *table);
  for (int pe = 0; pe < npes; ++pe) shmem_long_p(table + me, me * 1000 + pe, pe);
  shmem_barrier_all();
  for (int pe = 0; pe < npes; ++pe) {
    CHECK(table[pe] == pe * 1000 + me, "what PE %d put here is %ld", pe, table[pe]);
    CHECK(shmem_long_g(table + pe, pe) == pe * 1000 + pe, "what PE %d put to itself", pe);
  }
  shmem_free(table);
}

int main(void) {
  begin();
  CHECK(shmem_ctx_create(0, &ctx) == 0, "a context can be made");
  void* heap = shmem_malloc(ROOM * sizeof(long double));
#define RUN(NAME, TYPE) NAME##_test(heap);
  RMA_TYPES(RUN)
  values_survive_to_the_last_bit();
  mem_forms_work_at_any_alignment();
  every_pe_reaches_every_pe();
  shmem_free(heap);
  shmem_ctx_destroy(ctx);
  return end();
}
