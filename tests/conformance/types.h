/* The type tables of the specification as lists: each calls its argument with (name in routines, C type).
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYPES_H
#define TYPES_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Table 5: standard RMA types, 24 of them. */
#define RMA_TYPES(X)               \
  X(float, float)                  \
  X(double, double)                \
  X(longdouble, long double)       \
  X(char, char)                    \
  X(schar, signed char)            \
  X(short, short)                  \
  X(int, int)                      \
  X(long, long)                    \
  X(longlong, long long)           \
  X(uchar, unsigned char)          \
  X(ushort, unsigned short)        \
  X(uint, unsigned int)            \
  X(ulong, unsigned long)          \
  X(ulonglong, unsigned long long) \
  X(int8, int8_t)                  \
  X(int16, int16_t)                \
  X(int32, int32_t)                \
  X(int64, int64_t)                \
  X(uint8, uint8_t)                \
  X(uint16, uint16_t)              \
  X(uint32, uint32_t)              \
  X(uint64, uint64_t)              \
  X(size, size_t)                  \
  X(ptrdiff, ptrdiff_t)

/* Standard AMO types, also those of wait and test. */
#define AMO_TYPES(X)               \
  X(int, int)                      \
  X(long, long)                    \
  X(longlong, long long)           \
  X(uint, unsigned int)            \
  X(ulong, unsigned long)          \
  X(ulonglong, unsigned long long) \
  X(int32, int32_t)                \
  X(int64, int64_t)                \
  X(uint32, uint32_t)              \
  X(uint64, uint64_t)              \
  X(size, size_t)                  \
  X(ptrdiff, ptrdiff_t)

/* Extended AMO types: fetch, set and swap work on these too. */
#define EXTENDED_AMO_TYPES(X) AMO_TYPES(X) X(float, float) X(double, double)

#define BITWISE_AMO_TYPES(X)       \
  X(uint, unsigned int)            \
  X(ulong, unsigned long)          \
  X(ulonglong, unsigned long long) \
  X(int32, int32_t)                \
  X(int64, int64_t)                \
  X(uint32, uint32_t)              \
  X(uint64, uint64_t)

/* Team reductions: AND, OR and XOR. MIN and MAX take RMA_TYPES; SUM and PROD take these and the complex
 * types. */
#define BITWISE_REDUCE_TYPES(X)    \
  X(uchar, unsigned char)          \
  X(ushort, unsigned short)        \
  X(uint, unsigned int)            \
  X(ulong, unsigned long)          \
  X(ulonglong, unsigned long long) \
  X(int8, int8_t)                  \
  X(int16, int16_t)                \
  X(int32, int32_t)                \
  X(int64, int64_t)                \
  X(uint8, uint8_t)                \
  X(uint16, uint16_t)              \
  X(uint32, uint32_t)              \
  X(uint64, uint64_t)              \
  X(size, size_t)

#define COMPLEX_TYPES(X) X(complexf, float _Complex) X(complexd, double _Complex)

/* Active-set reductions. */
#define TO_ALL_INTEGERS(X) X(short, short) X(int, int) X(long, long) X(longlong, long long)
#define TO_ALL_FLOATS(X) X(float, float) X(double, double) X(longdouble, long double)

/* TEST_TYPES="short long": these types only, for runs that try what knows no more of a type than its size; else all. */
__attribute__((unused)) static int is_tried(const char* type) {
  const char* wanted = getenv("TEST_TYPES");
  if (!wanted) return 1;
  while (*wanted) {
    const size_t length = strcspn(wanted, " ");
    if (length == strlen(type) && strncmp(wanted, type, length) == 0) return 1;
    wanted += length;
    wanted += strspn(wanted, " ");
  }
  return 0;
}

/* Element sizes, in bits, of the untyped RMA routines. */
#define SIZES(X) X(8) X(16) X(32) X(64) X(128)

#endif
