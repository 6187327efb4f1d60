/* Limits of single words: a plain store, a plain load, copies of a few bytes, native atomics alone and
 * contended.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "limit.h"

enum { elements = 4096 };
static volatile long* words;
static atomic_long* atoms;
static volatile long sink;
static struct RoundBarrier* round_barrier;
static double batch_ns = 4e6;
static int batches = 9;

static void store_each(void) {
  for (long i = 0; i < elements; i++) words[i] = i;
}
static void load_each(void) {
  long sum = 0;
  for (long i = 0; i < elements; i++) sum += words[i];
  sink = sum;
}
static void add_each(void) {
  for (long i = 0; i < elements; i++) sink = atomic_fetch_add(&atoms[0], 1);
}
static void add_own_line(void) {
  for (long i = 0; i < elements; i++) sink = atomic_fetch_add(&atoms[pair_bytes], 1);
}
/* What a store buffer costs to drain, on x86 the cheapest way: a locked instruction on the own stack. */
static void drain_each(void) {
  for (long i = 0; i < elements; i++) {
#if defined(__x86_64__)
    __asm__ __volatile__("lock; orl $0, (%%rsp)" : : : "memory", "cc");
#else
    atomic_thread_fence(memory_order_seq_cst);
#endif
  }
}

/* The same 64 places again and again, as bench/programs/rma.c puts and gets them. */
static char small_source[64 * 64];
#define COPY_EACH(bytes)                                                               \
  static void copy_each_##bytes(void) {                                                \
    char* target = (char*)words;                                                       \
    for (long i = 0; i < elements; i++) {                                              \
      __builtin_memcpy(target + i % 64 * bytes, small_source + i % 64 * bytes, bytes); \
      __asm__ __volatile__("" : : : "memory");                                         \
    }                                                                                  \
  }
COPY_EACH(8)
COPY_EACH(16)
COPY_EACH(32)
COPY_EACH(64)

/* Middle of the batches of the nanoseconds of one call. */
static double measure(void (*run)(void)) {
  double each[max_batches];
  run();
  for (int batch = 0; batch < batches; batch++) {
    long calls = 0;
    double begin = now_ns(), end;
    do {
      run();
      calls++;
      end = now_ns();
    } while (end - begin < batch_ns);
    each[batch] = (end - begin) / (double)calls;
  }
  return middle(each, batches);
}

static void copies(void) {
  report("copy", 8, measure(copy_each_8) / elements, "ns");
  report("copy", 16, measure(copy_each_16) / elements, "ns");
  report("copy", 32, measure(copy_each_32) / elements, "ns");
  report("copy", 64, measure(copy_each_64) / elements, "ns");
}

/* All processes at once: on the same word, or each on a line of its own. */
static void together(const char* what, void (*run)(void), int me, int processes) {
  meet(round_barrier, processes);
  const double each = measure(run) / elements;
  meet(round_barrier, processes);
  if (me == 0) report(what, 0, each, "ns");
}

int main(int count, char** arguments) {
  const struct LimitOptions options = read_options(count, arguments);
  if (options.quick) batch_ns = 1e6;
  words = share(elements * sizeof *words);
  atoms = share((size_t)pair_bytes * sizeof *atoms * 64);
  round_barrier = share(sizeof *round_barrier);
  const int me = multiply(options.processes);
  if (me == 0) {
    report("store", 0, measure(store_each) / elements, "ns");
    report("load", 0, measure(load_each) / elements, "ns");
    copies();
    report("xadd", 0, measure(add_each) / elements, "ns");
    report("drain", 0, measure(drain_each) / elements, "ns");
  }
  together("xadd same word", add_each, me, options.processes);
  atoms += me * pair_bytes % (pair_bytes * 60);
  together("xadd own lines", add_own_line, me, options.processes);
  return finish();
}
