// How code asks the compiler for instructions that not every processor has, and for loops over independent elements.
// SPDX-License-Identifier: BSD-3-Clause
//
// ATRIUM_BEGIN_INSTRUCTIONS("aes,pclmul") to ATRIUM_END_INSTRUCTIONS: all functions between, templates included, are compiled
// for processors that have these. Headers of others are included before: what they define inline must run everywhere.
#pragma once

namespace atrium {

#define ATRIUM_PRAGMA(text) _Pragma(#text)

#if defined(__clang__)
#define ATRIUM_BEGIN_INSTRUCTIONS(names) \
  ATRIUM_PRAGMA(clang attribute push(__attribute__((target(names))), apply_to = function))
#define ATRIUM_END_INSTRUCTIONS ATRIUM_PRAGMA(clang attribute pop)
#define ATRIUM_INDEPENDENT_ITERATIONS ATRIUM_PRAGMA(clang loop vectorize(assume_safety))
#define ATRIUM_CRYPTOGRAPHY_OF_AARCH64 "aes"
#else
#define ATRIUM_BEGIN_INSTRUCTIONS(names) ATRIUM_PRAGMA(GCC push_options) ATRIUM_PRAGMA(GCC target(names))
#define ATRIUM_END_INSTRUCTIONS ATRIUM_PRAGMA(GCC pop_options)
// Two vectors a step: of one a step gcc reads the operands of a minimum or maximum of 64-bit integers twice,
// which makes it half as fast in the first-level cache (docs/measurements/collectives.md).
#define ATRIUM_INDEPENDENT_ITERATIONS ATRIUM_PRAGMA(GCC ivdep) ATRIUM_PRAGMA(GCC unroll 2)
#define ATRIUM_CRYPTOGRAPHY_OF_AARCH64 "+crypto"
#endif

// In front of functions of AVX-512: false alarms of gcc 12 about variables of its own <immintrin.h>, gcc bug 105593.
#if !defined(__clang__) && __GNUC__ < 13
#define ATRIUM_IGNORE_UNINITIALIZED_INTRINSICS            \
  ATRIUM_PRAGMA(GCC diagnostic ignored "-Wuninitialized") \
  ATRIUM_PRAGMA(GCC diagnostic ignored "-Wmaybe-uninitialized")
#else
#define ATRIUM_IGNORE_UNINITIALIZED_INTRINSICS
#endif

// One function for processors that have AVX2, where compilers know it.
#if defined(__x86_64__)
#define ATRIUM_AVX2 [[gnu::target("avx2")]]
inline constexpr bool compiles_avx2 = true;
#else
#define ATRIUM_AVX2
inline constexpr bool compiles_avx2 = false;
#endif

}  // namespace atrium
