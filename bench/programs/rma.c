/* Put and get: one word, constant sizes, 8 B to 64 MiB, strided; on the heap, on globals, and between the
 * two.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * PE 0 works on the memory of PE 1. A name is OPERATION.PLACE[.stream]: PLACE is where the source and the
 * target lie. Without `stream`, each call meets a source that its owner rewrote and a target that its owner
 * read since the last call, and the time includes a quiet, except of what blocks until it is complete; with
 * it, calls follow each other on the same buffers, and one quiet ends the round. `put_drained` ends with a
 * full fence of the processor as well: not every library's quiet waits until others can see the stores. What
 * the hardware can do is measured in the same way on the same memory: store, load, and `push` and `pull`,
 * copies through shmem_ptr by memcpy and a few loops, in the same seconds: on some machines the other CPU's
 * cache is now near, now far. `by_hand` is what a library at its best could do in line: the plain loop
 * through shmem_ptr, with a test in each round and a call where it fails. */
#include "measure.h"

enum { most_bytes = 64 * MIB, most_globals = 4 * MIB, words = 512, peer = 1 };

#include "../kernels.h" /* behind measure.h, which asks for POSIX */

/* On a cache line, as the heap is: else 1 KiB takes twice as long in one of two builds, as their linker happens to put it. */
static _Alignas(64) long globals[2][most_globals / sizeof(long)];
static char* heap[2];

/* No compiler knows that these are never called. */
static void (*volatile call_p)(long*, long, int) = shmem_long_p;
static long (*volatile call_g)(const long*, int) = shmem_long_g;
static void (*volatile call_put)(void*, const void*, size_t, int) = shmem_putmem;
#define IF_HERE if (__builtin_expect(here, 1))

/* One word a call, 4 KiB again and again. */
#define WORD(name, work)                                                \
  static void name(const struct measure* m, long calls) {               \
    volatile long *target = m->target.start, *source = m->source.start; \
    const int here = m->actors;                                         \
    long sum = 0;                                                       \
    for (long i = 0; i < calls; i++) work;                              \
    bench_sink = (unsigned long)sum;                                    \
    (void)source, (void)target, (void)here;                             \
    shmem_quiet();                                                      \
  }
WORD(store, target[i % words] = i)
WORD(load, sum += source[i % words])
WORD(p, shmem_long_p((long*)&target[i % words], i, peer))
WORD(g, sum += shmem_long_g((long*)&source[i % words], peer))
WORD(p_by_hand, {
  IF_HERE target[i % words] = i;
  else call_p((long*)&target[i % words], i, peer);
})
WORD(g_by_hand, {
  IF_HERE sum += source[i % words];
  else sum += call_g((long*)&source[i % words], peer);
})

/* A size that the compiler knows. */
#define CONSTANT(bytes)                                                            \
  static void copy_##bytes(const struct measure* m, long calls) {                  \
    char *target = m->target.start, *source = m->source.start;                     \
    for (long i = 0; i < calls; i++) {                                             \
      memcpy(target + i % 64 * bytes, source + i % 64 * bytes, bytes);             \
      __asm__ __volatile__("" : : : "memory");                                     \
    }                                                                              \
  }                                                                                \
  static void by_hand_##bytes(const struct measure* m, long calls) {               \
    char *target = m->target.start, *source = m->source.start;                     \
    const int here = m->actors;                                                    \
    for (long i = 0; i < calls; i++) {                                             \
      char *to = target + i % 64 * bytes, *from = source + i % 64 * bytes;         \
      IF_HERE memcpy(to, from, bytes);                                             \
      else call_put(to, from, bytes, peer);                                        \
      __asm__ __volatile__("" : : : "memory");                                     \
    }                                                                              \
  }                                                                                \
  static void put_##bytes(const struct measure* m, long calls) {                   \
    char *target = m->target.start, *source = m->source.start;                     \
    for (long i = 0; i < calls; i++)                                               \
      shmem_putmem(target + i % 64 * bytes, source + i % 64 * bytes, bytes, peer); \
    shmem_quiet();                                                                 \
  }                                                                                \
  static void get_##bytes(const struct measure* m, long calls) {                   \
    char *target = m->target.start, *source = m->source.start;                     \
    for (long i = 0; i < calls; i++)                                               \
      shmem_getmem(target + i % 64 * bytes, source + i % 64 * bytes, bytes, peer); \
  }
CONSTANT(8)
CONSTANT(16)
CONSTANT(32)
CONSTANT(64)

/* The whole buffer a call; `end` makes it complete. */
#define BLOCK(name, work, end)                                   \
  static void name(const struct measure* m, long calls) {        \
    void *target = m->target.start, *source = m->source.start;   \
    const size_t bytes = m->bytes, count = bytes / sizeof(long); \
    (void)bytes, (void)count;                                    \
    while (calls-- > 0) work;                                    \
    end;                                                         \
  }
/* Until the processor has given its stores out. */
#define DRAIN __atomic_thread_fence(__ATOMIC_SEQ_CST)
BLOCK(put, shmem_putmem(target, source, bytes, peer), shmem_quiet())
BLOCK(put_drained, shmem_putmem(target, source, bytes, peer), (shmem_quiet(), DRAIN))
BLOCK(get, shmem_getmem(target, source, bytes, peer), )
BLOCK(put_nbi, shmem_putmem_nbi(target, source, bytes, peer), shmem_quiet())
BLOCK(get_nbi, shmem_getmem_nbi(target, source, bytes, peer), shmem_quiet())
/* What the hardware can do: the far side through shmem_ptr. */
static const struct TimedKernel* kernel;
BLOCK(push, kernel->copy(target, source, bytes), DRAIN)
BLOCK(pull, kernel->copy(target, source, bytes), )
/* A quarter of the buffer's words; what is between them stays. */
BLOCK(iput_scatter, shmem_long_iput(target, source, 4, 1, count, peer), shmem_quiet())
BLOCK(iput_gather, shmem_long_iput(target, source, 1, 4, count, peer), shmem_quiet())
BLOCK(iput_both, shmem_long_iput(target, source, 4, 4, count, peer), shmem_quiet())
BLOCK(iget_scatter, shmem_long_iget(target, source, 4, 1, count, peer), )
BLOCK(iget_gather, shmem_long_iget(target, source, 1, 4, count, peer), )
BLOCK(iget_both, shmem_long_iget(target, source, 4, 4, count, peer), )
#if SINCE(1, 6)
BLOCK(ibput, shmem_long_ibput(target, source, 32, 32, 8, count / 8, peer), shmem_quiet())
BLOCK(ibget, shmem_long_ibget(target, source, 32, 32, 8, count / 8, peer), )
#endif

static void measure_words(const char* place, long* memory) {
  static long private_words[words];
  const struct row {
    const char *name, *where;
    void (*run)(const struct measure*, long);
    long* memory;
    int source_owner, target_owner;
  } rows[] = {{"store", "private", store, private_words, NOBODY, 0},
              {"load", "private", load, private_words, 0, NOBODY},
              {"by_hand", "p", p_by_hand, shmem_ptr(heap[0], peer), NOBODY, peer},
              {"by_hand", "g", g_by_hand, shmem_ptr(heap[0], peer), peer, NOBODY},
              {"p", place, p, memory, NOBODY, peer},
              {"g", place, g, memory, peer, NOBODY}};
  for (size_t i = 0; i < LENGTH(rows); i++) {
    const struct row* r = &rows[i];
    char name[64];
    if (r->memory == NULL || (r->where != place && memory == globals[0])) continue;
    snprintf(name, sizeof name, "%s.%s", r->name, r->where);
    bench_measure(&(struct measure){.name = name,
                                    .unit = "ns",
                                    .bytes = sizeof(long),
                                    .run = r->run,
                                    .actors = 1,
                                    .source = {r->memory, words * sizeof(long), r->source_owner},
                                    .target = {r->memory, words * sizeof(long), r->target_owner}});
  }
}

/* Beside them the same loop with copies of private memory, and by hand. */
static void measure_constants(void) {
  enum { most = 64 * 64 };
  static char private_bytes[2][most];
  typedef void runs(const struct measure*, long);
  const struct size {
    size_t bytes;
    runs *put, *get, *copy, *by_hand;
  } sizes[] = {{8, put_8, get_8, copy_8, by_hand_8},
               {16, put_16, get_16, copy_16, by_hand_16},
               {32, put_32, get_32, copy_32, by_hand_32},
               {64, put_64, get_64, copy_64, by_hand_64}};
  char *first = shmem_ptr(heap[0], peer), *second = shmem_ptr(heap[1], peer);
  for (size_t i = 0; i < LENGTH(sizes); i++) {
    const struct row {
      const char* name;
      runs* run;
      char *source, *target;
      int source_owner, target_owner;
    } rows[] = {{"put.constant", sizes[i].put, heap[0], heap[1], 0, peer},
                {"get.constant", sizes[i].get, heap[0], heap[1], peer, 0},
                {"by_hand.put", sizes[i].by_hand, heap[0], second, 0, peer},
                {"by_hand.get", sizes[i].by_hand, first, heap[1], peer, 0},
                {"copy.private", sizes[i].copy, private_bytes[0], private_bytes[1], 0, 0}};
    const size_t all = 64 * sizes[i].bytes;
    for (size_t k = 0; k < LENGTH(rows); k++) {
      if (!rows[k].source || !rows[k].target) continue;
      bench_measure(&(struct measure){.name = rows[k].name,
                                      .unit = "ns",
                                      .bytes = sizes[i].bytes,
                                      .run = rows[k].run,
                                      .actors = 1,
                                      .source = {rows[k].source, all, rows[k].source_owner},
                                      .target = {rows[k].target, all, rows[k].target_owner}});
    }
  }
}

/* An operation whose buffers are as large as the bytes it moves, or `spread` times as large. */
struct operation {
  const char* name;
  void (*run)(const struct measure*, long);
  int is_get;
  size_t spread;
};
static const struct operation operations[] = {
    {"put", put, 0, 1},
    {"get", get, 1, 1},
    {"put_nbi", put_nbi, 0, 1},
    {"get_nbi", get_nbi, 1, 1},
};
static const struct operation drained = {"put_drained", put_drained, 0, 1};
static const struct operation direct[] = {{"push", push, 0, 1}, {"pull", pull, 1, 1}};
static const struct operation strided[] = {
    {"iput_scatter", iput_scatter, 0, 4},
    {"iput_gather", iput_gather, 0, 4},
    {"iput_both", iput_both, 0, 4},
    {"iget_scatter", iget_scatter, 1, 4},
    {"iget_gather", iget_gather, 1, 4},
    {"iget_both", iget_both, 1, 4},
#if SINCE(1, 6)
    {"ibput", ibput, 0, 4},
    {"ibget", ibget, 1, 4},
#endif
};

static void measure_named(const char* name, const struct operation* o, void* source, void* target,
                          size_t bytes, int stream) {
  bench_measure(&(struct measure){.name = name,
                                  .unit = stream ? "GB/s" : "ns",
                                  .bytes = bytes,
                                  .run = o->run,
                                  .actors = 1,
                                  .single = !stream,
                                  .source = {source, bytes * o->spread, o->is_get ? peer : 0},
                                  .target = {target, bytes * o->spread, o->is_get ? 0 : peer}});
}

static void measure_operation(const struct operation* o, const char* place, void* source, void* target,
                              size_t bytes, int stream) {
  char name[64];
  snprintf(name, sizeof name, "%s.%s%s", o->name, place, stream ? ".stream" : "");
  measure_named(name, o, source, target, bytes, stream);
}

/* By each kernel, where the library shows PE 0 the far side. */
static void measure_direct(const struct operation* o, size_t bytes) {
  struct TimedKernel kernels[most_kernels];
  const int count = copy_kernels(kernels);
  char* ends[2] = {heap[0], heap[1]};
  char** far_side = &ends[o->is_get ? 0 : 1];
  if (shmem_ptr(*far_side, peer) == NULL) return;
  if (bench.me == 0) *far_side = shmem_ptr(*far_side, peer);
  for (int i = 0; i < count; i++) {
    char name[64];
    kernel = &kernels[i];
    measure_named(name_way(o->name, kernel, name), o, ends[0], ends[1], bytes, 0);
  }
}

static void measure_size(size_t bytes) {
  for (size_t i = 0; i < LENGTH(operations); i++)
    for (int stream = 0; stream < 2; stream++)
      measure_operation(&operations[i], "heap", heap[0], heap[1], bytes, stream);
  for (size_t i = 0; i < LENGTH(direct); i++) measure_direct(&direct[i], bytes);
  if (bytes > most_globals) return;
  measure_operation(&drained, "globals_to_heap", globals[0], heap[1], bytes, 0);
  for (size_t i = 0; i < 2; i++) {
    const struct operation* o = &operations[i];
    measure_operation(o, "globals", globals[0], globals[1], bytes, 0);
    measure_operation(o, "globals", globals[0], globals[1], bytes, 1);
    measure_operation(o, "heap_to_globals", heap[0], globals[1], bytes, 0);
    measure_operation(o, "globals_to_heap", globals[0], heap[1], bytes, 0);
  }
}

static void measure_strided(size_t bytes) {
  for (size_t i = 0; i < LENGTH(strided); i++)
    measure_operation(&strided[i], "heap", heap[0], heap[1], bytes, 0);
}

static const size_t all_sizes[] = {8,        16,       32,        64,  128,     256,      KIB,       4 * KIB,
                                   16 * KIB, 64 * KIB, 256 * KIB, MIB, 4 * MIB, 16 * MIB, most_bytes};
static const size_t quick_sizes[] = {8, 64, KIB, 4 * KIB, 64 * KIB, MIB, 4 * MIB};
static const size_t strided_sizes[] = {64, 4 * KIB, 64 * KIB, MIB};

int main(int argc, char** argv) {
  bench_begin(argc, argv, 2);
  for (int i = 0; i < 2; i++) heap[i] = bench_allocate(most_bytes);
  measure_words("heap", (long*)heap[0]);
  measure_words("globals", globals[0]);
  measure_constants();
  const size_t* sizes = bench.quick ? quick_sizes : all_sizes;
  const size_t count = bench.quick ? LENGTH(quick_sizes) : LENGTH(all_sizes);
  for (size_t i = 0; i < count; i++) measure_size(sizes[i]);
  for (size_t i = 0; i < LENGTH(strided_sizes); i++) measure_strided(strided_sizes[i]);
  shmem_finalize();
  return 0;
}
