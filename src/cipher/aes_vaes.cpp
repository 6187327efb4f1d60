// AES-128-GCM by the instructions of newer x86-64: VAES and VPCLMULQDQ, on registers of two blocks.
// SPDX-License-Identifier: BSD-3-Clause
#include "cipher/aes_128_gcm.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

#include <algorithm>
#include <cstring>

// All functions below, templates included, are for processors that have these.
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("vaes,vpclmulqdq,avx2,aes,pclmul"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("vaes,vpclmulqdq,avx2,aes,pclmul")
#endif

#include "cipher/aes_ni.hpp"
#include "cipher/gcm.hpp"

namespace atrium {
namespace {

struct Vaes : AesNi {
  using Wide = __m256i;
  struct Product {
    Wide low{}, middle{}, high{};
  };
  using AesNi::exclusive_or;
  using AesNi::reversed;

  static Wide load_wide(const void* at) { return _mm256_loadu_si256(static_cast<const __m256i*>(at)); }
  static void store_wide(void* at, Wide blocks) { _mm256_storeu_si256(static_cast<__m256i*>(at), blocks); }
  static Wide widened(Block block) { return _mm256_zextsi128_si256(block); }
  static Wide spread(Block block) { return _mm256_broadcastsi128_si256(block); }
  static Block first(Wide blocks) { return _mm256_castsi256_si128(blocks); }
  static Wide exclusive_or(Wide a, Wide b) { return _mm256_xor_si256(a, b); }
  static Wide reversed(Wide a) {
    return _mm256_shuffle_epi8(a, spread(_mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)));
  }

  template <size_t n, class Work>
  [[gnu::always_inline]] static void encrypt(const Block* rounds, Wide* blocks, const Work& between) {
#pragma GCC unroll 8
    for (size_t i = 0; i < n; ++i) blocks[i] = _mm256_xor_si256(blocks[i], spread(rounds[0]));
#pragma GCC unroll 9
    for (size_t round = 1; round < 10; ++round) {
#pragma GCC unroll 8
      for (size_t i = 0; i < n; ++i) blocks[i] = _mm256_aesenc_epi128(blocks[i], spread(rounds[round]));
      if (round <= n) between(round - 1);
    }
#pragma GCC unroll 8
    for (size_t i = 0; i < n; ++i) blocks[i] = _mm256_aesenclast_epi128(blocks[i], spread(rounds[10]));
  }

  static Wide sum_of_halves(Wide a) { return _mm256_xor_si256(a, _mm256_shuffle_epi32(a, 0x4e)); }
  static void multiply(Product& product, Wide a, Wide b) {
    product.low = _mm256_xor_si256(product.low, _mm256_clmulepi64_epi128(a, b, 0x00));
    product.high = _mm256_xor_si256(product.high, _mm256_clmulepi64_epi128(a, b, 0x11));
    product.middle =
        _mm256_xor_si256(product.middle, _mm256_clmulepi64_epi128(sum_of_halves(a), sum_of_halves(b), 0x00));
  }
  static Block reduce(const Product& product) {
    return AesNi::reduce({folded(product.low), folded(product.middle), folded(product.high)});
  }

 private:
  static Block folded(Wide a) { return _mm_xor_si128(first(a), _mm256_extracti128_si256(a, 1)); }
};

}  // namespace

const SealMethod aes_128_gcm_by_vaes{"AES-128-GCM", Gcm<Vaes>::prepare, Gcm<Vaes>::seal, Gcm<Vaes>::open};

}  // namespace atrium

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
