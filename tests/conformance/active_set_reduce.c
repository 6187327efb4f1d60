/* The deprecated *_to_all reductions: every type and operation, apart and in place, on several active sets
 * (Annex F).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"
#include "types.h"

enum { LONGEST = 300 };

static int start, log_stride, size, mine;
static long sync_words[2][SHMEM_REDUCE_SYNC_SIZE], barrier_words[2][SHMEM_BARRIER_SYNC_SIZE];
static int call;
static void *dest_memory, *source_memory, *work;

static int bits(int pe, int i) { return (pe * 37 + i * 11 + 5) % 128; }
static int factor(int pe, int i) { return (pe + i) % 5 == 0 ? 3 : 1; }

#define OP_sum(a, b) ((a) + (b))
#define OP_prod(a, b) ((a) * (b))
#define OP_min(a, b) ((a) < (b) ? (a) : (b))
#define OP_max(a, b) ((a) > (b) ? (a) : (b))
#define OP_and(a, b) ((a) & (b))
#define OP_or(a, b) ((a) | (b))
#define OP_xor(a, b) ((a) ^ (b))

/* Every destination ready, and the other pWrk and pSync out of use. */
static void get_ready(void) {
  ++call;
  shmem_barrier(start, log_stride, size, barrier_words[call % 2]);
}

#define DEFINE(NAME, TYPE, OP, TERM)                                                                    \
  static void NAME##_##OP(int n, void* memory) {                                                        \
    TYPE *dest = dest_memory, *source = memory;                                                         \
    for (int i = 0; i <= n; ++i) dest[i] = 0;                                                           \
    get_ready();                                                                                        \
    for (int i = 0; i < n; ++i) source[i] = TERM(mine, i);                                              \
    shmem_##NAME##_##OP##_to_all(dest, source, n, start, log_stride, size, work, sync_words[call % 2]); \
    for (int i = 0; i < n; ++i) {                                                                       \
      TYPE wanted = (TYPE)TERM(0, i);                                                                   \
      for (int pe = 1; pe < size; ++pe) wanted = (TYPE)OP_##OP(wanted, (TYPE)TERM(pe, i));              \
      CHECK(dest[i] == wanted, #NAME " " #OP " to all of %d: element %d", n, i);                        \
    }                                                                                                   \
    CHECK(dest[n] == 0, #NAME " " #OP " to all of %d writes too much", n);                              \
    for (int i = 0; i < SHMEM_REDUCE_SYNC_SIZE; ++i)                                                    \
      CHECK(sync_words[call % 2][i] == SHMEM_SYNC_VALUE, "pSync word %d is not restored", i);           \
  }

#define DEFINE_SUMS(NAME, TYPE) DEFINE(NAME, TYPE, sum, bits) DEFINE(NAME, TYPE, prod, factor)
#define DEFINE_EXTREMA(NAME, TYPE) DEFINE(NAME, TYPE, min, bits) DEFINE(NAME, TYPE, max, bits)
#define DEFINE_BITWISE(NAME, TYPE) \
  DEFINE(NAME, TYPE, and, bits) DEFINE(NAME, TYPE, or, bits) DEFINE(NAME, TYPE, xor, bits)

TO_ALL_INTEGERS(DEFINE_SUMS)
TO_ALL_FLOATS(DEFINE_SUMS)
COMPLEX_TYPES(DEFINE_SUMS)
TO_ALL_INTEGERS(DEFINE_EXTREMA)
TO_ALL_FLOATS(DEFINE_EXTREMA)
TO_ALL_INTEGERS(DEFINE_BITWISE)

static void test_all_types(int n, void* memory) {
#define RUN_SUMS(NAME, TYPE) NAME##_sum(n, memory), NAME##_prod(n, memory);
#define RUN_EXTREMA(NAME, TYPE) NAME##_min(n, memory), NAME##_max(n, memory);
#define RUN_BITWISE(NAME, TYPE) NAME##_and(n, memory), NAME##_or(n, memory), NAME##_xor(n, memory);
  TO_ALL_INTEGERS(RUN_SUMS)
  TO_ALL_FLOATS(RUN_SUMS)
  COMPLEX_TYPES(RUN_SUMS)
  TO_ALL_INTEGERS(RUN_EXTREMA)
  TO_ALL_FLOATS(RUN_EXTREMA)
  TO_ALL_INTEGERS(RUN_BITWISE)
}

static void test_set(int first, int log2, int members) {
  start = first, log_stride = log2, size = members;
  const int distance = me - first, stride = 1 << log2;
  if (distance >= 0 && distance % stride == 0 && distance / stride < members) {
    const int lengths[] = {0, 1, 2, LONGEST};
    mine = distance / stride;
    for (int l = 0; l < 4; ++l) {
      test_all_types(lengths[l], source_memory);
      test_all_types(lengths[l], dest_memory);
    }
  }
  shmem_barrier_all();
}

static size_t work_elements(void) {
  const size_t half = LONGEST / 2 + 1;
  return half > SHMEM_REDUCE_MIN_WRKDATA_SIZE ? half : SHMEM_REDUCE_MIN_WRKDATA_SIZE;
}

int main(void) {
  begin();
  for (int k = 0; k < 2; ++k) {
    for (int i = 0; i < SHMEM_REDUCE_SYNC_SIZE; ++i) sync_words[k][i] = SHMEM_SYNC_VALUE;
    for (int i = 0; i < SHMEM_BARRIER_SYNC_SIZE; ++i) barrier_words[k][i] = SHMEM_SYNC_VALUE;
  }
  dest_memory = shmem_malloc((LONGEST + 1) * sizeof(long double));
  source_memory = shmem_malloc((LONGEST + 1) * sizeof(long double));
  work = shmem_malloc(work_elements() * sizeof(long double));
  shmem_barrier_all();
  test_set(0, 0, npes);
  test_set(0, 1, (npes + 1) / 2);
  test_set(npes - 1, 0, 1);
  if (npes > 2) test_set(1, 0, npes - 1);
  return end();
}
