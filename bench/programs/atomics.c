/* Atomic operations: on a word nobody else uses, on lines of one's own beside busy neighbours, and all PEs on
 * one word.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A name is OPERATION.PATTERN; the figure is what one PE waits for one of its calls, back to back. `xadd` is
 * the processor's own atomic addition through shmem_ptr. */
#include "measure.h"

enum { line_words = 16 }; /* 128 B: no line, and no pair of lines, is shared */

static long* memory;
static int home; /* the PE whose memory is worked on */
static long direct_exists;

static long* word_of(const struct measure* m) {
  const long lines = (long)(m->target.bytes / (line_words * sizeof(long)));
  return (long*)m->target.start + bench.me % lines * line_words;
}

#define ATOMIC(name, work)                                \
  static void name(const struct measure* m, long calls) { \
    long* word = word_of(m);                              \
    unsigned long sum = 0;                                \
    for (long i = 0; i < calls; i++) work;                \
    bench_sink = sum;                                     \
    shmem_quiet();                                        \
  }
ATOMIC(fetch_add, sum += (unsigned long)shmem_long_atomic_fetch_add(word, 1, home))
ATOMIC(fetch_inc, sum += (unsigned long)shmem_long_atomic_fetch_inc(word, home))
ATOMIC(add, shmem_long_atomic_add(word, 1, home))
ATOMIC(inc, shmem_long_atomic_inc(word, home))
ATOMIC(fetch, sum += (unsigned long)shmem_long_atomic_fetch(word, home))
ATOMIC(set, shmem_long_atomic_set(word, i, home))
ATOMIC(swap, sum += (unsigned long)shmem_long_atomic_swap(word, i, home))
ATOMIC(compare_swap, sum += (unsigned long)shmem_long_atomic_compare_swap(word, (long)sum, i, home))
ATOMIC(fetch_xor, sum += shmem_ulong_atomic_fetch_xor((unsigned long*)word, 1, home))
ATOMIC(xor, shmem_ulong_atomic_xor((unsigned long*)word, 1, home))
ATOMIC(double_swap, sum += (unsigned long)shmem_double_atomic_swap((double*)word, 1.0, home))

static void xadd(const struct measure* m, long calls) {
  long *word = shmem_ptr(word_of(m), home), sum = 0;
  for (long i = 0; i < calls; i++) sum += __atomic_fetch_add(word, 1, __ATOMIC_SEQ_CST);
  bench_sink = (unsigned long)sum;
}

static const struct row {
  const char* name;
  void (*run)(const struct measure*, long);
  int contended; /* measured in all patterns */
} rows[] = {
    {"xadd", xadd, 1},
    {"fetch_add", fetch_add, 1},
    {"compare_swap", compare_swap, 1},
    {"swap", swap, 1},
    {"add", add, 1},
    {"inc", inc, 0},
    {"fetch_inc", fetch_inc, 0},
    {"fetch", fetch, 0},
    {"set", set, 0},
    {"xor", xor, 0},
    {"fetch_xor", fetch_xor, 0},
    {"double_swap", double_swap, 0},
};

/* `lines` lines on PE `where`, worked on by the first `actors` PEs. */
static void measure_pattern(const char* pattern, int where, int actors, size_t lines) {
  home = where;
  for (size_t i = 0; i < LENGTH(rows); i++) {
    char name[64];
    if ((actors == EVERYBODY && !rows[i].contended) || (rows[i].run == xadd && !direct_exists)) continue;
    snprintf(name, sizeof name, "%s.%s", rows[i].name, pattern);
    bench_measure(&(struct measure){.name = name,
                                    .unit = "ns",
                                    .bytes = sizeof(long),
                                    .run = rows[i].run,
                                    .actors = actors,
                                    .target = {memory, lines * line_words * sizeof(long), where}});
  }
}

int main(int argc, char** argv) {
  bench_begin(argc, argv, 2);
  const size_t lines = (size_t)bench.pes;
  memory = bench_allocate(lines * line_words * sizeof(long));
  memset(memory, 0, lines * line_words * sizeof(long));
  direct_exists = shmem_ptr(memory, 0) != NULL && shmem_ptr(memory, 1) != NULL;
  shmem_barrier_all();
  measure_pattern("alone", 1, 1, 1);
  measure_pattern("own_lines", 0, EVERYBODY, lines);
  measure_pattern("same_word", 0, EVERYBODY, 1);
  shmem_finalize();
  return 0;
}
