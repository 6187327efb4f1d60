/* Every reduction and scan for every type, apart and in place, on several teams (9.10.9, 9.10.10).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"
#include "types.h"

enum { LONGEST = 1003 };

static shmem_team_t team;
static int mine, size;
static void *dest_memory, *source_memory;

/* Small enough that no sum or product of any team overflows a signed char. */
static int term(int pe, size_t i) { return (int)((pe + i) % 5); }
static int factor(int pe, size_t i) { return (pe + i) % 5 == 0 ? 3 : 1; }
static int bits(int pe, size_t i) { return (int)((pe * 37 + i * 11 + 5) % 128); }

#define OP_sum(a, b) ((a) + (b))
#define OP_prod(a, b) ((a) * (b))
#define OP_min(a, b) ((a) < (b) ? (a) : (b))
#define OP_max(a, b) ((a) > (b) ? (a) : (b))
#define OP_and(a, b) ((a) & (b))
#define OP_or(a, b) ((a) | (b))
#define OP_xor(a, b) ((a) ^ (b))

#define FILL(TYPE, MEMORY, TERM)               \
  TYPE *dest = dest_memory, *source = MEMORY;  \
  for (size_t i = 0; i <= n; ++i) dest[i] = 0; \
  shmem_team_sync(team);                       \
  for (size_t i = 0; i < n; ++i) source[i] = TERM(mine, i);

/* `memory` is source_memory, or dest_memory for a reduction in place. */
#define DEFINE_REDUCE(NAME, TYPE, OP, TERM)                                                               \
  static void NAME##_##OP(size_t n, void* memory) {                                                       \
    FILL(TYPE, memory, TERM)                                                                              \
    CHECK(shmem_##NAME##_##OP##_reduce(team, dest, source, n) == 0, "returns 0");                         \
    for (size_t i = 0; i < n; ++i) {                                                                      \
      TYPE wanted = (TYPE)TERM(0, i);                                                                     \
      for (int pe = 1; pe < size; ++pe) wanted = (TYPE)OP_##OP(wanted, (TYPE)TERM(pe, i));                \
      CHECK(dest[i] == wanted, #NAME " " #OP " of %zu: element %zu", n, i);                               \
      CHECK(source == dest || source[i] == (TYPE)TERM(mine, i), #NAME " " #OP ": source element %zu", i); \
    }                                                                                                     \
    CHECK(dest[n] == 0, #NAME " " #OP " of %zu writes too much", n);                                      \
  }

#define DEFINE_SCAN(NAME, TYPE, SCAN, INCLUDED)                                           \
  static void NAME##_##SCAN(size_t n, void* memory) {                                     \
    FILL(TYPE, memory, term)                                                              \
    CHECK(shmem_##NAME##_sum_##SCAN(team, dest, source, n) == 0, "returns 0");            \
    for (size_t i = 0; i < n; ++i) {                                                      \
      TYPE wanted = 0;                                                                    \
      for (int pe = 0; pe < mine + INCLUDED; ++pe) wanted = (TYPE)(wanted + term(pe, i)); \
      CHECK(dest[i] == wanted, #NAME " " #SCAN " of %zu: element %zu", n, i);             \
    }                                                                                     \
    CHECK(dest[n] == 0, #NAME " " #SCAN " of %zu writes too much", n);                    \
  }

#define DEFINE_ARITHMETIC(NAME, TYPE)     \
  DEFINE_REDUCE(NAME, TYPE, sum, term)    \
  DEFINE_REDUCE(NAME, TYPE, prod, factor) \
  DEFINE_SCAN(NAME, TYPE, inscan, 1)      \
  DEFINE_SCAN(NAME, TYPE, exscan, 0)
#define DEFINE_EXTREMA(NAME, TYPE)     \
  DEFINE_REDUCE(NAME, TYPE, min, bits) \
  DEFINE_REDUCE(NAME, TYPE, max, bits)
#define DEFINE_BITWISE(NAME, TYPE)     \
  DEFINE_REDUCE(NAME, TYPE, and, bits) \
  DEFINE_REDUCE(NAME, TYPE, or, bits)  \
  DEFINE_REDUCE(NAME, TYPE, xor, bits)

RMA_TYPES(DEFINE_ARITHMETIC)
COMPLEX_TYPES(DEFINE_ARITHMETIC)
RMA_TYPES(DEFINE_EXTREMA)
BITWISE_REDUCE_TYPES(DEFINE_BITWISE)

static void test_all_types(size_t n, void* memory) {
#define RUN_ARITHMETIC(NAME, TYPE) \
  if (is_tried(#NAME))             \
    NAME##_sum(n, memory), NAME##_prod(n, memory), NAME##_inscan(n, memory), NAME##_exscan(n, memory);
#define RUN_EXTREMA(NAME, TYPE) \
  if (is_tried(#NAME)) NAME##_min(n, memory), NAME##_max(n, memory);
#define RUN_BITWISE(NAME, TYPE) \
  if (is_tried(#NAME)) NAME##_and(n, memory), NAME##_or(n, memory), NAME##_xor(n, memory);
  RMA_TYPES(RUN_ARITHMETIC)
  COMPLEX_TYPES(RUN_ARITHMETIC)
  RMA_TYPES(RUN_EXTREMA)
  BITWISE_REDUCE_TYPES(RUN_BITWISE)
}

static void negative_numbers_compare_below_zero(void) {
  static int number, least, most;
  static double real, least_real;
  number = mine == 0 ? -5 : mine;
  real = -1.5 * mine;
  shmem_team_sync(team);
  shmem_int_min_reduce(team, &least, &number, 1);
  shmem_int_max_reduce(team, &most, &number, 1);
  shmem_double_min_reduce(team, &least_real, &real, 1);
  CHECK(least == -5, "the minimum is %d", least);
  CHECK(most == (size == 1 ? -5 : size - 1), "the maximum is %d", most);
  CHECK(least_real == -1.5 * (size - 1), "the minimum is %g", least_real);
}

static void the_imaginary_part_is_reduced_too(void) {
  static double _Complex number, sum, product;
  number = __builtin_complex(1.0, 1.0);
  shmem_team_sync(team);
  shmem_complexd_sum_reduce(team, &sum, &number, 1);
  shmem_complexd_prod_reduce(team, &product, &number, 1);
  double _Complex wanted = 1;
  for (int pe = 0; pe < size; ++pe) wanted *= number;
  CHECK(sum == __builtin_complex((double)size, (double)size), "the sum of %d times 1+i", size);
  CHECK(product == wanted, "the product of %d times 1+i", size);
}

static void test_on(shmem_team_t which) {
  const size_t lengths[] = {0, 1, 7, LONGEST};
  team = which;
  if (team == SHMEM_TEAM_INVALID) return;
  mine = shmem_team_my_pe(team);
  size = shmem_team_n_pes(team);
  for (int i = 0; i < 4; ++i) {
    test_all_types(lengths[i], source_memory);
    test_all_types(lengths[i], dest_memory);
  }
  negative_numbers_compare_below_zero();
  the_imaginary_part_is_reduced_too();
}

static void test_on_split(int start, int stride, int members) {
  shmem_team_t split;
  CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, start, stride, members, NULL, 0, &split) == 0, "a split");
  test_on(split);
  shmem_team_destroy(split);
  shmem_barrier_all();
}

int main(void) {
  begin();
  dest_memory = shmem_malloc((LONGEST + 1) * sizeof(long double));
  source_memory = shmem_malloc((LONGEST + 1) * sizeof(long double));
  test_on(SHMEM_TEAM_WORLD);
  test_on_split(npes - 1, -1, npes);
  test_on_split(npes > 1, 2, npes > 1 ? npes / 2 : 1);
  return end();
}
