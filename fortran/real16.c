/* Reductions of REAL*16: C has no such type among those that it reduces.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each PE reads all sources, in the same order, so that all get the same bits. */
#include <stdlib.h>
#include <string.h>

#include "support.h"

#if defined(__x86_64__)
typedef __float128 real16;
#else
typedef long double real16;
#endif
_Static_assert(sizeof(real16) == 16, "REAL*16 has 16 bytes");

enum { chunk = 1024 }; /* elements in flight: 16 KiB stay in the first cache */
typedef void (*combine)(real16* to, const real16* with, size_t count);

static void combine_max(real16* to, const real16* with, size_t count) {
  for (size_t i = 0; i < count; ++i) to[i] = with[i] > to[i] ? with[i] : to[i];
}
static void combine_min(real16* to, const real16* with, size_t count) {
  for (size_t i = 0; i < count; ++i) to[i] = with[i] < to[i] ? with[i] : to[i];
}
static void combine_sum(real16* to, const real16* with, size_t count) {
  for (size_t i = 0; i < count; ++i) to[i] += with[i];
}
static void combine_prod(real16* to, const real16* with, size_t count) {
  for (size_t i = 0; i < count; ++i) to[i] *= with[i];
}

/* In old programs all PEs call: nothing happens on the others (team/active_set.cpp). */
static int atrium_is_in_set(int start, int log_stride, int size) {
  const int distance = shmem_my_pe() - start, rank = distance >> log_stride;
  return distance >= 0 && rank < size && rank << log_stride == distance;
}

static void atrium_fortran_reduce(const char* routine, combine into, void* dest, const void* source,
                                  size_t count, int start, int log_stride, int size) {
  real16* result = malloc(count * sizeof *result + 1);
  if (!result)
    atrium_fortran_refuse(routine, "nreduce", "is too large", "malloc: Cannot allocate memory",
                          "fewer elements");
  shmem_sync(start, log_stride, size, atrium_fortran_psync); /* all sources are ready */
  if (!atrium_is_in_set(start, log_stride, size)) count = 0;
  for (size_t done = 0, n; done < count; done += n) {
    real16 incoming[chunk];
    n = count - done < chunk ? count - done : chunk;
    for (int member = 0; member < size; ++member) {
      real16* to = member == 0 ? result + done : incoming;
      shmem_getmem(to, (const real16*)source + done, n * sizeof *to, start + (member << log_stride));
      if (member > 0) into(result + done, incoming, n);
    }
  }
  shmem_barrier(start, log_stride, size, atrium_fortran_psync); /* all have read: dest may be source */
  memcpy(dest, result, count * sizeof *result);
  free(result);
}

#define REDUCTION(op)                                                                                       \
  void atrium_real16_##op##_to_all(void* dest, const void* source, size_t count, int start, int log_stride, \
                                   int size) {                                                              \
    atrium_fortran_reduce("SHMEM_REAL16_" #op "_TO_ALL", combine_##op, dest, source, count, start,          \
                          log_stride, size);                                                                \
  }
REDUCTION(max)
REDUCTION(min)
REDUCTION(sum)
REDUCTION(prod)
