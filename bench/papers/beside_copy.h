/* Put and get beside a copy of memory, as POSH's authors measured them: the same two buffers again and again, one
 * repetition to warm up and 20 that count. What their benchmark of OpenSHMEM and of GASNet share, in what C and C++ share.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_PAPERS_BESIDE_COPY_H
#define BENCH_PAPERS_BESIDE_COPY_H

#include <stdio.h>
#include <string.h>

#include "../clock.h"

enum {
  repeats = 20,
  least_bytes = 8,
  most_bytes = 16 << 20,
  most_quick_bytes = 1 << 20,
  page_bytes = 4096,
  barriers = 200
};

/* So many of one call in a row. */
typedef void (*Calls)(long calls, void* there, const void* here, size_t bytes);

/* Somebody may look at it: no store of the loop can be left out. */
static inline void touched(const void* there) { __asm__ volatile("" : : "r"(there) : "memory"); }

static inline void by_memcpy(long calls, void* there, const void* here, size_t bytes) {
  for (long call = 0; call < calls; call++) memcpy(there, here, bytes), touched(there);
}

/* Nanoseconds of one call. */
static inline double time_of(Calls run, long calls, void* there, const void* here, size_t bytes) {
  double each[repeats];
  for (int repeat = -1; repeat < repeats; repeat++) {
    const double begin = now_ns();
    run(calls, there, here, bytes);
    if (repeat >= 0) each[repeat] = (now_ns() - begin) / (double)calls;
  }
  return middle(each, repeats);
}

/* So many that the clock does not matter. */
static inline long calls_of(size_t bytes) { return bytes < 16384 ? 1000 : bytes < (1 << 20) ? 50 : 4; }

static inline void report(const char* what, size_t bytes, double ns, double memcpy_ns) {
  printf("%s\t%lu\t%.5g\tns\n", what, (unsigned long)bytes, ns);
  printf("%s.bandwidth\t%lu\t%.5g\tGB/s\n", what, (unsigned long)bytes, (double)bytes / ns);
  if (ns != memcpy_ns) printf("%s.of_copy\t%lu\t%.5g\ttimes\n", what, (unsigned long)bytes, memcpy_ns / ns);
}

/* A put of `second` into the peer's `symmetric`, and a get of that into `first`. */
static inline void measure_size(Calls put, Calls get, char* symmetric, char* first, char* second,
                                size_t bytes) {
  const long calls = calls_of(bytes);
  const double copy = time_of(by_memcpy, calls, first, second, bytes);
  report("memcpy", bytes, copy, copy);
  report("put", bytes, time_of(put, calls, symmetric, second, bytes), copy);
  report("get", bytes, time_of(get, calls, first, symmetric, bytes), copy);
}

static inline void measure_word(const char* what, Calls run, char* symmetric) {
  printf("%s\t%d\t%.5g\tns\n", what, (int)sizeof(long),
         time_of(run, 1000, symmetric, symmetric, sizeof(long)));
}

static inline size_t most_of(int argc, char** argv) {
  return argc > 1 && strcmp(argv[1], "--quick") == 0 ? most_quick_bytes : most_bytes;
}

static inline void measure_sizes(Calls put, Calls get, char* symmetric, char* first, char* second,
                                 size_t most) {
  memset(first, 1, most);
  memset(second, 2, most);
  for (size_t bytes = least_bytes; bytes <= most; bytes *= bytes < 1024 ? 8 : 4)
    measure_size(put, get, symmetric, first, second, bytes);
}

/* Where in a page a block begins decides more than the library: a copy to 16 bytes behind its source, as malloc has it,
 * waits for its own stores. So all blocks begin with a page, and have one more. */
static inline char* from_page(void* block) {
  char* const begin = (char*)block;
  return begin + (page_bytes - (unsigned long)begin % page_bytes) % page_bytes;
}

#endif
