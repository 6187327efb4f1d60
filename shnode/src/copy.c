/* Copies between a member's memory and mine: memcpy, or from 512 bytes to 4 KiB what was measured to be faster.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * On AMD's processors with AVX-512 a loop of whole lines stores one a cycle; glibc's memcpy takes `rep movsb`
 * above 2 KiB there, 31 ns for 4 KiB instead of 17. Above 4 KiB the lines that a peer has in its cache decide,
 * which `rep movsb` takes over faster: docs/measurements/shnode.md. The C library is asked what the processor can do, since
 * the CPUID instruction takes microseconds in a virtual machine. */
#include "internal.h"

/* A word is one store, whatever memcpy does with sizes that it learns from me. */
static void copy_block(void* to, const void* from, size_t bytes) {
  switch (bytes) {
    case 2:
      memcpy(to, from, 2);
      break;
    case 4:
      memcpy(to, from, 4);
      break;
    case 8:
      memcpy(to, from, 8);
      break;
    default:
      memcpy(to, from, bytes);
  }
}

/* The header came with glibc 2.33, the macros with 2.34. */
#if defined(__x86_64__) && defined(__has_include)
#if __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>
#endif
#endif

#if defined(CPU_FEATURE_ACTIVE) && defined(CPU_FEATURE_PRESENT)

static int by_lines;

/* All of AMD's processors since 2007 have SSE4a, and no others. */
void sn_choose_copy(void) { by_lines = CPU_FEATURE_ACTIVE(AVX512F) && CPU_FEATURE_PRESENT(SSE4A); }

typedef long long line __attribute__((vector_size(64), aligned(1), may_alias));

#define LINE(memory, i) (*(line*)((memory) + (i) * sizeof(line)))

/* Requires: at least one line. What is left of the last one overlaps the line before. Four are read before they
 * are written: a read that follows a write to the same place of another page would wait for it. */
__attribute__((target("avx512f"))) static void copy_lines(char* to, char* from, size_t bytes) {
  char *last_to = to + bytes - sizeof(line), *last_from = from + bytes - sizeof(line);
  for (; bytes >= 4 * sizeof(line); bytes -= 4 * sizeof(line)) {
    const line a = LINE(from, 0), b = LINE(from, 1), c = LINE(from, 2), d = LINE(from, 3);
    LINE(to, 0) = a, LINE(to, 1) = b, LINE(to, 2) = c, LINE(to, 3) = d;
    to += 4 * sizeof(line), from += 4 * sizeof(line);
  }
  for (; bytes >= sizeof(line); bytes -= sizeof(line), to += sizeof(line), from += sizeof(line))
    LINE(to, 0) = LINE(from, 0);
  if (bytes > 0) LINE(last_to, 0) = LINE(last_from, 0);
}

void sn_copy(void* to, const void* from, size_t bytes) {
  if (by_lines && bytes > SHNODE_SMALL && bytes <= sn_own_copy_bytes)
    copy_lines(to, (char*)from, bytes);
  else
    copy_block(to, from, bytes);
}

#else

void sn_choose_copy(void) {}
void sn_copy(void* to, const void* from, size_t bytes) { copy_block(to, from, bytes); }

#endif
