/* put_signal for every type and form, signal_set and signal_add, fetch and wait (9.8).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"
#include "types.h"

enum { COUNT = 19 };

static shmem_ctx_t ctx;
static uint64_t signal_word;

/* The signal is seen, so this call's data must be here: no barrier in between. */
#define ROUND(NAME, TYPE, CALL)                                                                             \
  do {                                                                                                      \
    memset(target, 0, COUNT * sizeof *target);                                                              \
    signal_word = 0;                                                                                        \
    shmem_barrier_all();                                                                                    \
    CALL;                                                                                                   \
    CHECK(shmem_signal_wait_until(&signal_word, SHMEM_CMP_EQ, 4) == 4, "the value that ended the wait");    \
    for (int i = 0; i < COUNT; ++i) CHECK(target[i] == VALUE(TYPE, left(), i), "%s: element %d", #CALL, i); \
    shmem_quiet();                                                                                          \
    shmem_ctx_quiet(ctx);                                                                                   \
    shmem_barrier_all();                                                                                    \
  } while (0)

#define DEFINE(NAME, TYPE)                                                                                  \
  static void NAME##_test(TYPE* target) {                                                                   \
    TYPE origin[COUNT];                                                                                     \
    uint64_t* const word = &signal_word;                                                                    \
    const int to = right();                                                                                 \
    for (int i = 0; i < COUNT; ++i) origin[i] = VALUE(TYPE, me, i);                                         \
    ROUND(NAME, TYPE, shmem_##NAME##_put_signal(target, origin, COUNT, word, 4, SHMEM_SIGNAL_SET, to));     \
    ROUND(NAME, TYPE, shmem_##NAME##_put_signal_nbi(target, origin, COUNT, word, 4, SHMEM_SIGNAL_ADD, to)); \
    ROUND(NAME, TYPE,                                                                                       \
          shmem_ctx_##NAME##_put_signal(ctx, target, origin, COUNT, word, 4, SHMEM_SIGNAL_ADD, to));        \
    ROUND(NAME, TYPE,                                                                                       \
          shmem_ctx_##NAME##_put_signal_nbi(ctx, target, origin, COUNT, word, 4, SHMEM_SIGNAL_SET, to));    \
  }

RMA_TYPES(DEFINE)

#define BITS_ROUNDS(BITS)                                                                                  \
  {                                                                                                        \
    const size_t n = COUNT * 8 / BITS;                                                                     \
    UNTYPED_ROUND(n* BITS / 8, shmem_put##BITS##_signal(target, origin, n, word, 4, SHMEM_SIGNAL_SET, to)) \
    UNTYPED_ROUND(n* BITS / 8,                                                                             \
                  shmem_put##BITS##_signal_nbi(target, origin, n, word, 4, SHMEM_SIGNAL_ADD, to))          \
    UNTYPED_ROUND(n* BITS / 8,                                                                             \
                  shmem_ctx_put##BITS##_signal(ctx, target, origin, n, word, 4, SHMEM_SIGNAL_SET, to))     \
    UNTYPED_ROUND(n* BITS / 8,                                                                             \
                  shmem_ctx_put##BITS##_signal_nbi(ctx, target, origin, n, word, 4, SHMEM_SIGNAL_ADD, to)) \
  }

#define UNTYPED_ROUND(BYTES, CALL)                                                                     \
  memset(target, 0, COUNT), signal_word = 0;                                                           \
  shmem_barrier_all();                                                                                 \
  CALL;                                                                                                \
  shmem_signal_wait_until(&signal_word, SHMEM_CMP_EQ, 4);                                              \
  for (size_t i = 0; i < COUNT; ++i)                                                                   \
    CHECK(target[i] == (i < (BYTES) ? VALUE(unsigned char, left(), i) : 0), "%s: byte %zu", #CALL, i); \
  shmem_quiet(), shmem_ctx_quiet(ctx);                                                                 \
  shmem_barrier_all();

static void untyped_forms_deliver_before_they_signal(void) {
  static _Alignas(16) unsigned char target[COUNT];
  _Alignas(16) unsigned char origin[COUNT];
  uint64_t* const word = &signal_word;
  const int to = right();
  for (int i = 0; i < COUNT; ++i) origin[i] = VALUE(unsigned char, me, i);
  SIZES(BITS_ROUNDS)
  UNTYPED_ROUND(COUNT, shmem_putmem_signal(target, origin, COUNT, word, 4, SHMEM_SIGNAL_SET, to))
  UNTYPED_ROUND(COUNT, shmem_putmem_signal_nbi(target, origin, COUNT, word, 4, SHMEM_SIGNAL_SET, to))
  UNTYPED_ROUND(COUNT, shmem_ctx_putmem_signal(ctx, target, origin, COUNT, word, 4, SHMEM_SIGNAL_ADD, to))
  UNTYPED_ROUND(COUNT, shmem_ctx_putmem_signal_nbi(ctx, target, origin, COUNT, word, 4, SHMEM_SIGNAL_ADD, to))
}

static void a_signal_without_data_arrives(void) {
  signal_word = 0;
  shmem_barrier_all();
  shmem_putmem_signal(NULL, NULL, 0, &signal_word, 9, SHMEM_SIGNAL_SET, right());
  CHECK(shmem_signal_wait_until(&signal_word, SHMEM_CMP_NE, 0) == 9, "the signal of an empty put");
  shmem_barrier_all();
}

static void signals_from_all_pes_add_up(void) {
  signal_word = 0;
  shmem_barrier_all();
  for (int pe = 0; pe < npes; ++pe) {
    shmem_signal_add(&signal_word, 1, pe);
    shmem_ctx_signal_add(ctx, &signal_word, 2, pe);
  }
  const uint64_t seen = shmem_signal_wait_until(&signal_word, SHMEM_CMP_GE, 3 * npes);
  CHECK(seen == (uint64_t)3 * npes, "the sum of all signals is %d", (int)seen);
  CHECK(shmem_signal_fetch(&signal_word) == seen, "fetch reads my own copy");
  shmem_ctx_quiet(ctx);
  shmem_barrier_all();
}

static void set_replaces(void) {
  signal_word = 77;
  shmem_barrier_all();
  shmem_signal_set(&signal_word, 1, right());
  shmem_signal_wait_until(&signal_word, SHMEM_CMP_EQ, 1);
  shmem_barrier_all();
  shmem_ctx_signal_set(ctx, &signal_word, UINT64_MAX, right());
  CHECK(shmem_signal_wait_until(&signal_word, SHMEM_CMP_GT, 1) == UINT64_MAX, "all 64 bits of a signal");
  shmem_ctx_quiet(ctx);
  shmem_barrier_all();
}

/* A ring of tokens: data in the heap, signal in the globals. */
static void a_ring_of_signals_turns(void) {
  enum { TURNS = 500 };
  static uint64_t turn;
  long* box = shmem_calloc(1, sizeof *box);
  for (uint64_t t = 1; t <= TURNS; ++t) {
    if (me != 0) shmem_signal_wait_until(&turn, SHMEM_CMP_GE, t);
    const long token = me == 0 ? (long)t * 1000 : *box + 1;
    shmem_long_put_signal(box, &token, 1, &turn, t, SHMEM_SIGNAL_SET, right());
    if (me == 0) {
      shmem_signal_wait_until(&turn, SHMEM_CMP_GE, t);
      CHECK(*box == (long)t * 1000 + npes - 1, "turn %d brings %ld", (int)t, *box);
    }
  }
  shmem_barrier_all();
  shmem_free(box);
}

int main(void) {
  begin();
  CHECK(shmem_ctx_create(0, &ctx) == 0, "a context can be made");
  void* heap = shmem_malloc(COUNT * sizeof(long double));
#define RUN(NAME, TYPE) NAME##_test(heap);
  RMA_TYPES(RUN)
  untyped_forms_deliver_before_they_signal();
  a_signal_without_data_arrives();
  signals_from_all_pes_add_up();
  set_replaces();
  a_ring_of_signals_turns();
  shmem_free(heap);
  shmem_ctx_destroy(ctx);
  return end();
}
