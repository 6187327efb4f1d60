/* Ways to copy that need no library, for the limit of a size: whichever is best for it on this machine.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_KERNELS_H
#define BENCH_KERNELS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { most_kernels = 5 };
typedef void (*copy_kernel)(void* target, const void* source, size_t bytes);
struct TimedKernel {
  const char* name;
  copy_kernel copy;
};

/* `push [memcpy]`: a limit measured in several ways. Which of them counts for a size is decided when all
 * rounds are over (bench/driver/limits.py): no loop keeps to a limit that is the luckiest of several in each
 * round. */
static inline const char* name_way(const char* what, const struct TimedKernel* kernel, char name[64]) {
  snprintf(name, 64, "%s [%s]", what, kernel->name);
  return name;
}

static void copy_libc(void* target, const void* source, size_t bytes) { memcpy(target, source, bytes); }

#if defined(__x86_64__)
#include <immintrin.h>

static void copy_movsb(void* target, const void* source, size_t bytes) {
  __asm__ __volatile__("rep movsb" : "+D"(target), "+S"(source), "+c"(bytes) : : "memory");
}

/* A loop over whole vectors, what is before the target's first line and behind the last step by memcpy.
 * `width` bytes a step; `move` moves them from s to t. */
#define VECTOR_KERNEL(name, isa, width, move, end)                                      \
  __attribute__((target(isa))) static void name(void* to, const void* from, size_t n) { \
    const size_t before = -(uintptr_t)to % 64, head = before < n ? before : n;          \
    char* t = (char*)to + head;                                                         \
    const char* s = (const char*)from + head;                                           \
    if (head > 0) memcpy(to, from, head);                                               \
    for (n -= head; n >= (width); n -= (width), t += (width), s += (width)) move;       \
    end;                                                                                \
    memcpy(t, s, n);                                                                    \
  }
VECTOR_KERNEL(copy_avx512, "avx512f", 128,
              (_mm512_storeu_si512(t, _mm512_loadu_si512(s)),
               _mm512_storeu_si512(t + 64, _mm512_loadu_si512(s + 64))), )
VECTOR_KERNEL(copy_avx512_around, "avx512f", 128,
              (_mm512_stream_si512((void*)t, _mm512_loadu_si512(s)),
               _mm512_stream_si512((void*)(t + 64), _mm512_loadu_si512(s + 64))),
              _mm_sfence())
VECTOR_KERNEL(copy_avx2, "avx2", 64,
              (_mm256_storeu_si256((void*)t, _mm256_loadu_si256((const void*)s)),
               _mm256_storeu_si256((void*)(t + 32), _mm256_loadu_si256((const void*)(s + 32)))), )
VECTOR_KERNEL(copy_avx2_around, "avx2", 64,
              (_mm256_stream_si256((void*)t, _mm256_loadu_si256((const void*)s)),
               _mm256_stream_si256((void*)(t + 32), _mm256_loadu_si256((const void*)(s + 32)))),
              _mm_sfence())

static inline int copy_kernels(struct TimedKernel kernels[most_kernels]) {
  int count = 0;
  kernels[count++] = (struct TimedKernel){"memcpy", copy_libc};
  kernels[count++] = (struct TimedKernel){"rep movsb", copy_movsb};
  if (__builtin_cpu_supports("avx512f")) {
    kernels[count++] = (struct TimedKernel){"avx512", copy_avx512};
    kernels[count++] = (struct TimedKernel){"avx512 past the caches", copy_avx512_around};
  } else if (__builtin_cpu_supports("avx2")) {
    kernels[count++] = (struct TimedKernel){"avx2", copy_avx2};
    kernels[count++] = (struct TimedKernel){"avx2 past the caches", copy_avx2_around};
  }
  return count;
}

#else

static void copy_words(void* to, const void* from, size_t n) {
  char* t = to;
  const char* s = from;
  for (; n >= 64; n -= 64, t += 64, s += 64) __builtin_memcpy(t, s, 64);
  memcpy(t, s, n);
}
static inline int copy_kernels(struct TimedKernel kernels[most_kernels]) {
  kernels[0] = (struct TimedKernel){"memcpy", copy_libc};
  kernels[1] = (struct TimedKernel){"words", copy_words};
  return 2;
}

#endif
#endif
