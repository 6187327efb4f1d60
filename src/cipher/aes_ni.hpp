// The instructions of AES-NI and PCLMULQDQ that AES-128-GCM uses: the machine of gcm.hpp whose registers hold one block.
// SPDX-License-Identifier: BSD-3-Clause
//
// Each file that includes this compiles it for a processor of its own: hence a namespace without a name.
#pragma once

#include <immintrin.h>

#include "cipher/cipher.hpp"

namespace atrium {
namespace {

struct AesNi {
  using Block = __m128i;
  using Wide = Block;
  static constexpr size_t step_blocks = 8;
  struct Product {
    Block low{}, middle{}, high{};
  };

  static Block load(const void* at) { return _mm_loadu_si128(static_cast<const __m128i*>(at)); }
  static void store(void* at, Block block) { _mm_storeu_si128(static_cast<__m128i*>(at), block); }
  static Block of_words(uint64_t low, uint64_t high) {
    return _mm_set_epi64x(static_cast<long long>(high), static_cast<long long>(low));
  }
  static Block exclusive_or(Block a, Block b) { return _mm_xor_si128(a, b); }
  static Block both(Block a, Block b) { return _mm_and_si128(a, b); }
  static bool is_zero(Block a) { return _mm_movemask_epi8(_mm_cmpeq_epi8(a, _mm_setzero_si128())) == 0xffff; }
  static Block backwards() { return _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15); }
  static Block reversed(Block a) { return _mm_shuffle_epi8(a, backwards()); }
  static Block load_wide(const void* at) { return load(at); }
  static void store_wide(void* at, Block block) { store(at, block); }
  static Block widened(Block block) { return block; }
  static Block spread(Block block) { return block; }
  static Block first(Block block) { return block; }

  template <size_t n, class Work>
  [[gnu::always_inline]] static void encrypt(const Block* rounds, Block* blocks, const Work& between) {
#pragma GCC unroll 8
    for (size_t i = 0; i < n; ++i) blocks[i] = _mm_xor_si128(blocks[i], rounds[0]);
#pragma GCC unroll 9
    for (size_t round = 1; round < 10; ++round) {
#pragma GCC unroll 8
      for (size_t i = 0; i < n; ++i) blocks[i] = _mm_aesenc_si128(blocks[i], rounds[round]);
      if (round <= n) between(round - 1);
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

  // Both halves are the sum.
  static Block sum_of_halves(Block a) { return _mm_xor_si128(a, _mm_shuffle_epi32(a, 0x4e)); }
  // Three products of halves in place of four, as Karatsuba found: they are what takes the time.
  static void multiply(Product& product, Block a, Block b) {
    product.low = _mm_xor_si128(product.low, _mm_clmulepi64_si128(a, b, 0x00));
    product.high = _mm_xor_si128(product.high, _mm_clmulepi64_si128(a, b, 0x11));
    product.middle =
        _mm_xor_si128(product.middle, _mm_clmulepi64_si128(sum_of_halves(a), sum_of_halves(b), 0x00));
  }
  // Divides by x^128 in the field, as each product of POLYVAL does.
  static Block reduce(const Product& product) {
    const Block polynomial = _mm_set_epi64x(0, static_cast<long long>(0xc200000000000000));
    const Block middle = _mm_xor_si128(product.middle, _mm_xor_si128(product.low, product.high));
    Block low = _mm_xor_si128(product.low, _mm_slli_si128(middle, 8));
    const Block high = _mm_xor_si128(product.high, _mm_srli_si128(middle, 8));
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

}  // namespace
}  // namespace atrium
