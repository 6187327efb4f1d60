// AES-128-GCM by the instructions of nearly all x86-64: AES-NI and PCLMULQDQ, on registers of one block.
// SPDX-License-Identifier: BSD-3-Clause
#include "cipher/aes_128_gcm.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

#include <algorithm>
#include <cstring>

// All functions below, templates included, are for processors that have these.
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("aes,pclmul,ssse3"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("aes,pclmul,ssse3")
#endif

#include "cipher/aes_ni.hpp"
#include "cipher/gcm.hpp"

namespace atrium {

const SealMethod aes_128_gcm_by_aes_ni{"AES-128-GCM", Gcm<AesNi>::prepare, Gcm<AesNi>::seal,
                                       Gcm<AesNi>::open};

}  // namespace atrium

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
