/* Random access (GUPS): every PE changes words anywhere in a table that lies on all PEs.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * `gups.xor` uses atomics, and doing everything twice must leave the table as it was; `gups.get_put` reads,
 * changes and writes, and as in the HPC Challenge may lose one update in a hundred to a race; so does
 * `gups.get_put_nbi`, with many under way. */
#include "kernel.h"

static uint64_t *table, *own, **shared;
static uint64_t words_each; /* a power of two */
static size_t updates;
static int shift;

/* What the loop needs lies in registers: around atomics, compilers would read global variables again and
 * again. */
#define UPDATES(name, work)                                                         \
  static void name(const struct measure* m, long calls) {                           \
    const uint64_t range = words_each * (uint64_t)bench.pes, mask = words_each - 1; \
    uint64_t state = own_dice(), *const all = table, *const mine = own;             \
    uint64_t* const* const copies = shared;                                         \
    const size_t count = updates;                                                   \
    const int bits = shift;                                                         \
    for (size_t i = 0; i < count; i++) {                                            \
      const uint64_t dice = throw_dice(&state), word = below(dice, range) & mask;   \
      const int pe = (int)(below(dice, range) >> bits);                             \
      work;                                                                         \
      (void)pe;                                                                     \
    }                                                                               \
    shmem_barrier_all();                                                            \
    (void)all, (void)mine, (void)copies, (void)m, (void)calls;                      \
  }
UPDATES(by_xor, shmem_uint64_atomic_xor(&all[word], dice, pe))
UPDATES(by_get_put, shmem_uint64_p(&all[word], shmem_uint64_g(&all[word], pe) ^ dice, pe))
UPDATES(own_by_xor, __atomic_fetch_xor(&mine[word], dice, __ATOMIC_RELAXED))
UPDATES(own_by_get_put, mine[word] ^= dice)
UPDATES(xor_by_hand, __atomic_fetch_xor(&copies[pe][word], dice, __ATOMIC_RELAXED))
UPDATES(get_put_by_hand, copies[pe][word] ^= dice)

#ifdef BENCH_BETWEEN_NODES
/* As the HPC Challenge allows, up to 1,024 updates are under way. */
enum { batch = 1024 };
static void by_get_put_nbi(const struct measure* m, long calls) {
  const uint64_t range = words_each * (uint64_t)bench.pes, mask = words_each - 1;
  uint64_t state = own_dice(), dice[batch], values[batch], *at[batch];
  int pe[batch];
  for (size_t done = 0; done < updates; done += batch) {
    for (int i = 0; i < batch; i++) {
      dice[i] = throw_dice(&state);
      at[i] = &table[below(dice[i], range) & mask];
      pe[i] = (int)(below(dice[i], range) >> shift);
      shmem_uint64_get_nbi(&values[i], at[i], 1, pe[i]);
    }
    shmem_quiet();
    for (int i = 0; i < batch; i++) {
      values[i] ^= dice[i];
      shmem_uint64_put_nbi(at[i], &values[i], 1, pe[i]);
    }
    shmem_quiet();
  }
  shmem_barrier_all();
  (void)m, (void)calls;
}

#endif

static void fill(void) {
  for (uint64_t i = 0; i < words_each; i++) table[i] = i;
  shmem_barrier_all();
}

/* How many words of this PE are not what they were after one run of each. */
static size_t changed_by(void (*first)(const struct measure*, long),
                         void (*second)(const struct measure*, long)) {
  size_t wrong = 0;
  fill();
  first(NULL, 1);
  second(NULL, 1);
  for (uint64_t i = 0; i < words_each; i++) wrong += table[i] != i;
  return wrong;
}

int main(int argc, char** argv) {
  bench_begin(argc, argv, 1);
  world_begin(1);
  shift = bench.quick ? 18 : 21;
  words_each = (uint64_t)1 << shift;
  updates = kernel_size(1 << 19, 1 << 16, 1 << 11);
  table = bench_allocate(words_each * sizeof *table);
  own = private_memory(words_each * sizeof *own);
  shared = (uint64_t**)copies_of(table);
  fill();
  measure_kernel("gups.xor", by_xor, (double)updates);
  measure_kernel("gups.xor.roofline", own_by_xor, (double)updates);
  if (shared) measure_kernel("gups.xor.by_hand", xor_by_hand, (double)updates);
  measure_kernel("gups.get_put", by_get_put, (double)updates);
  measure_kernel("gups.get_put.roofline", own_by_get_put, (double)updates);
  if (shared) measure_kernel("gups.get_put.by_hand", get_put_by_hand, (double)updates);
#ifdef BENCH_BETWEEN_NODES
  measure_kernel("gups.get_put_nbi", by_get_put_nbi, (double)updates);
  if (changed_by(by_get_put_nbi, by_xor) > updates / 100) return kernel_end(0, "gups: many updates are lost");
#endif
  const int right = changed_by(by_xor, by_xor) == 0 && changed_by(by_get_put, by_xor) <= updates / 100;
  return kernel_end(right, "gups: the table is not what it was");
}
