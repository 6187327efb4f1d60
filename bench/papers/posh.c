/* Put and get beside a copy of memory, as POSH's authors measured them: the same two buffers again and again, one
 * repetition to warm up and 20 that count, from PE 0 to PE 1. In OpenSHMEM 1.0 and in what C and C++ share, so that
 * their library compiles it, too.
 * SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L /* for clock_gettime */

#include <shmem.h>
#include <stdio.h>
#include <string.h>

#include "../clock.h"

enum { repeats = 20, least_bytes = 8, most_bytes = 16 << 20, most_quick_bytes = 1 << 20, page_bytes = 4096 };
typedef void (*Copy)(void* there, const void* here, size_t bytes);

static void by_memcpy(void* there, const void* here, size_t bytes) {
  memcpy(there, here, bytes);
  __asm__ volatile("" : : "r"(there) : "memory"); /* somebody may look at it */
}
static void by_put(void* there, const void* here, size_t bytes) { shmem_putmem(there, here, bytes, 1); }
static void by_get(void* there, const void* here, size_t bytes) {
  shmem_getmem(there, (void*)here, bytes, 1);
}

/* Nanoseconds of one: so many in a row that the clock does not matter. */
static double time_of(Copy copy, void* there, const void* here, size_t bytes) {
  double each[repeats];
  const long calls = bytes < 16384 ? 1000 : bytes < (1 << 20) ? 50 : 4;
  for (int repeat = -1; repeat < repeats; repeat++) {
    const double begin = now_ns();
    for (long call = 0; call < calls; call++) copy(there, here, bytes);
    if (repeat >= 0) each[repeat] = (now_ns() - begin) / (double)calls;
  }
  return middle(each, repeats);
}

static void report(const char* what, size_t bytes, double ns, double memcpy_ns) {
  printf("%s\t%lu\t%.5g\tns\n", what, (unsigned long)bytes, ns);
  printf("%s.bandwidth\t%lu\t%.5g\tGB/s\n", what, (unsigned long)bytes, (double)bytes / ns);
  if (ns != memcpy_ns) printf("%s.of_copy\t%lu\t%.5g\ttimes\n", what, (unsigned long)bytes, memcpy_ns / ns);
}

static void measure(char* symmetric, char* first, char* second, size_t bytes) {
  const double copy = time_of(by_memcpy, first, second, bytes);
  report("memcpy", bytes, copy, copy);
  report("put", bytes, time_of(by_put, symmetric, second, bytes), copy);
  report("get", bytes, time_of(by_get, first, symmetric, bytes), copy);
}

/* Where in a page a block begins decides more than the library: a copy to 16 bytes behind its source, as malloc has it,
 * waits for its own stores. So all blocks begin with a page. */
static char* from_page(void* block) {
  char* const begin = (char*)block;
  return begin + (page_bytes - (unsigned long)begin % page_bytes) % page_bytes;
}

int main(int argc, char** argv) {
  const size_t most = argc > 1 && strcmp(argv[1], "--quick") == 0 ? most_quick_bytes : most_bytes;
  start_pes(0);
  if (_num_pes() < 2) {
    fprintf(stderr, "posh: run this program with at least 2 PEs\n");
    return 1;
  }
  void* const blocks[3] = {shmalloc(most + page_bytes), malloc(most + page_bytes), malloc(most + page_bytes)};
  char *symmetric = from_page(blocks[0]), *first = from_page(blocks[1]), *second = from_page(blocks[2]);
  memset(symmetric, 1, most);
  memset(first, 1, most);
  memset(second, 2, most);
  shmem_barrier_all();
  for (size_t bytes = least_bytes; bytes <= most && _my_pe() == 0; bytes *= bytes < 1024 ? 8 : 4)
    measure(symmetric, first, second, bytes);
  fflush(stdout);
  shmem_barrier_all();
  free(blocks[1]);
  free(blocks[2]);
  shfree(blocks[0]);
  return 0;
}
