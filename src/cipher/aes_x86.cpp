// AES-128-GCM by the instructions of x86-64: AES-NI and PCLMULQDQ.
// SPDX-License-Identifier: BSD-3-Clause
#include "cipher/cipher.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

#include <algorithm>
#include <cstring>

#include "arch/processor.hpp"

// All functions below, templates included, are for processors that have these.
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("aes,pclmul,ssse3"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("aes,pclmul,ssse3")
#endif

#include "cipher/gcm.hpp"

namespace atrium {
namespace {

struct X86 {
  using Block = __m128i;
  struct Product {
    Block low{}, middle{}, high{};
  };

  static Block load(const void* at) { return _mm_loadu_si128(static_cast<const __m128i*>(at)); }
  static void store(void* at, Block block) { _mm_storeu_si128(static_cast<__m128i*>(at), block); }
  static Block exclusive_or(Block a, Block b) { return _mm_xor_si128(a, b); }
  static bool is_zero(Block a) { return _mm_movemask_epi8(_mm_cmpeq_epi8(a, _mm_setzero_si128())) == 0xffff; }
  static Block reversed(Block a) {
    return _mm_shuffle_epi8(a, _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
  }
  // Series, number and, most significant byte first, a counter.
  static Block numbered(const SealNumber& number, uint32_t counter) {
    return _mm_set_epi64x(
        static_cast<long long>(number.number >> 32 | uint64_t{__builtin_bswap32(counter)} << 32),
        static_cast<long long>(number.series | number.number << 32));
  }

  template <size_t n>
  static void encrypt(const Block* rounds, Block* blocks) {
#pragma GCC unroll 8
    for (size_t i = 0; i < n; ++i) blocks[i] = _mm_xor_si128(blocks[i], rounds[0]);
    for (int round = 1; round < 10; ++round) {
#pragma GCC unroll 8
      for (size_t i = 0; i < n; ++i) blocks[i] = _mm_aesenc_si128(blocks[i], rounds[round]);
    }
#pragma GCC unroll 8
    for (size_t i = 0; i < n; ++i) blocks[i] = _mm_aesenclast_si128(blocks[i], rounds[10]);
  }

  template <int constant>
  static Block next_round_key(Block key) {
    const Block last = _mm_shuffle_epi32(_mm_aeskeygenassist_si128(key, constant), 0xff);
    key = _mm_xor_si128(key, _mm_slli_si128(key, 4));
    key = _mm_xor_si128(key, _mm_slli_si128(key, 8));
    return _mm_xor_si128(key, last);
  }
  static void expand_key(const unsigned char* secret, Block* rounds) {
    rounds[0] = load(secret);
    rounds[1] = next_round_key<0x01>(rounds[0]);
    rounds[2] = next_round_key<0x02>(rounds[1]);
    rounds[3] = next_round_key<0x04>(rounds[2]);
    rounds[4] = next_round_key<0x08>(rounds[3]);
    rounds[5] = next_round_key<0x10>(rounds[4]);
    rounds[6] = next_round_key<0x20>(rounds[5]);
    rounds[7] = next_round_key<0x40>(rounds[6]);
    rounds[8] = next_round_key<0x80>(rounds[7]);
    rounds[9] = next_round_key<0x1b>(rounds[8]);
    rounds[10] = next_round_key<0x36>(rounds[9]);
  }

  static void multiply(Product& product, Block a, Block b) {
    product.low = _mm_xor_si128(product.low, _mm_clmulepi64_si128(a, b, 0x00));
    product.high = _mm_xor_si128(product.high, _mm_clmulepi64_si128(a, b, 0x11));
    product.middle = _mm_xor_si128(product.middle, _mm_clmulepi64_si128(a, b, 0x01));
    product.middle = _mm_xor_si128(product.middle, _mm_clmulepi64_si128(a, b, 0x10));
  }
  // Divides by x^128 in the field, as each product of POLYVAL does.
  static Block reduce(const Product& product) {
    const Block polynomial = _mm_set_epi64x(0, static_cast<long long>(0xc200000000000000));
    Block low = _mm_xor_si128(product.low, _mm_slli_si128(product.middle, 8));
    const Block high = _mm_xor_si128(product.high, _mm_srli_si128(product.middle, 8));
    for (int half = 0; half < 2; ++half)
      low = _mm_xor_si128(_mm_shuffle_epi32(low, 0x4e), _mm_clmulepi64_si128(low, polynomial, 0x00));
    return _mm_xor_si128(high, low);
  }
  // Times x.
  static Block doubled(Block a) {
    const Block carry = _mm_srai_epi32(_mm_shuffle_epi32(a, 0xff), 31);
    const Block twice = _mm_or_si128(_mm_slli_epi64(a, 1), _mm_slli_si128(_mm_srli_epi64(a, 63), 8));
    return _mm_xor_si128(twice,
                         _mm_and_si128(carry, _mm_set_epi64x(static_cast<long long>(0xc200000000000000), 1)));
  }
};

const SealMethod by_instructions{"AES-128-GCM", Gcm<X86>::prepare, Gcm<X86>::seal, Gcm<X86>::open};

}  // namespace

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

const SealMethod* aes_128_gcm() { return this_processor().aes ? &by_instructions : nullptr; }

}  // namespace atrium
#endif
