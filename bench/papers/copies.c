/* POSH's table 1: loops that copy between two private buffers beside libc's memcpy, one repetition to warm up and 20 that
 * count. Those of its time: MMX (eight bytes a move), MMX2 (the same past the caches) and SSE (16 bytes past the
 * caches); kernels.h has today's. PE 0 measures.
 * SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L /* for clock_gettime */

#include <shmem.h>
#include <stdlib.h>

#include "../clock.h"
#include "../kernels.h"

enum { repeats = 20, small_bytes = 64, large_bytes = 4 << 20, most_ways = most_kernels + 3 };

/* Whole lines only: both sizes are some. */
#if defined(__x86_64__)
typedef long long move_8 __attribute__((vector_size(8)));

static void copy_mmx(void* to, const void* from, size_t bytes) {
  char* t = to;
  const char* s = from;
  for (; bytes >= 8; bytes -= 8, t += 8, s += 8)
    __asm__ __volatile__("movq %1, %%mm0\n\tmovq %%mm0, %0"
                         : "=m"(*(move_8*)(void*)t)
                         : "m"(*(const move_8*)(const void*)s)
                         : "mm0");
  _mm_empty();
}

static void copy_mmx2(void* to, const void* from, size_t bytes) {
  char* t = to;
  const char* s = from;
  for (; bytes >= 8; bytes -= 8, t += 8, s += 8)
    __asm__ __volatile__("movq %1, %%mm0\n\tmovntq %%mm0, %0"
                         : "=m"(*(move_8*)(void*)t)
                         : "m"(*(const move_8*)(const void*)s)
                         : "mm0");
  _mm_sfence();
  _mm_empty();
}

static void copy_sse(void* to, const void* from, size_t bytes) {
  char* t = to;
  const char* s = from;
  for (; bytes >= 16; bytes -= 16, t += 16, s += 16)
    _mm_stream_ps((float*)(void*)t, _mm_load_ps((const float*)(const void*)s));
  _mm_sfence();
}

static int ways_of_2014(struct TimedKernel* ways) {
  ways[0] = (struct TimedKernel){"mmx", copy_mmx};
  ways[1] = (struct TimedKernel){"mmx2", copy_mmx2};
  ways[2] = (struct TimedKernel){"sse", copy_sse};
  return 3;
}
#else
static int ways_of_2014(struct TimedKernel* ways) { return (void)ways, 0; }
#endif

static double time_of(copy_kernel copy, void* there, const void* here, size_t bytes) {
  double each[repeats];
  const long calls = bytes < 16384 ? 1000 : 4;
  for (int repeat = -1; repeat < repeats; repeat++) {
    const double begin = now_ns();
    for (long call = 0; call < calls; call++) {
      copy(there, here, bytes);
      __asm__ volatile("" : : "r"(there) : "memory"); /* somebody may look at it */
    }
    if (repeat >= 0) each[repeat] = (now_ns() - begin) / (double)calls;
  }
  return middle(each, repeats);
}

static void measure(const struct TimedKernel* ways, int count, void* there, const void* here, size_t bytes) {
  const double memcpy_ns = time_of(ways[0].copy, there, here, bytes);
  printf("copy.memcpy\t%zu\t%.5g\tns\n", bytes, memcpy_ns);
  printf("copy.memcpy.bandwidth\t%zu\t%.5g\tGB/s\n", bytes, (double)bytes / memcpy_ns);
  for (int i = 1; i < count; i++) {
    const double ns = time_of(ways[i].copy, there, here, bytes);
    printf("copy.%s\t%zu\t%.5g\tns\n", ways[i].name, bytes, ns);
    printf("copy.%s.bandwidth\t%zu\t%.5g\tGB/s\n", ways[i].name, bytes, (double)bytes / ns);
    printf("copy.%s.of_memcpy\t%zu\t%.5g\ttimes\n", ways[i].name, bytes, memcpy_ns / ns);
  }
}

int main(void) {
  struct TimedKernel ways[most_ways];
  shmem_init();
  int count = copy_kernels(ways);
  count += ways_of_2014(ways + count);
  char *there = aligned_alloc(4096, large_bytes), *here = aligned_alloc(4096, large_bytes);
  if (!there || !here) return 1;
  memset(there, 1, large_bytes);
  memset(here, 2, large_bytes);
  if (shmem_my_pe() == 0) {
    measure(ways, count, there, here, small_bytes);
    measure(ways, count, there, here, large_bytes);
  }
  free(there);
  free(here);
  shmem_finalize();
  return 0;
}
