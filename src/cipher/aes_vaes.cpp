// AES-128-GCM by the instructions of newer x86-64: VAES and VPCLMULQDQ, on registers of two blocks.
// SPDX-License-Identifier: BSD-3-Clause
#include "cipher/aes_128_gcm.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

#include <algorithm>
#include <cstring>

#include "arch/instructions.hpp"

ATRIUM_BEGIN_INSTRUCTIONS("vaes,vpclmulqdq,avx2,aes,pclmul")

#include "cipher/gcm.hpp"
#include "cipher/wide_aes.hpp"

namespace atrium {
namespace {

struct TwoBlocks {
  using Wide = __m256i;
  static Wide load(const void* at) { return _mm256_loadu_si256(static_cast<const __m256i*>(at)); }
  static void store(void* at, Wide blocks) { _mm256_storeu_si256(static_cast<__m256i*>(at), blocks); }
  static Wide widened(__m128i block) { return _mm256_zextsi128_si256(block); }
  static Wide spread(__m128i block) { return _mm256_broadcastsi128_si256(block); }
  static __m128i first(Wide a) { return _mm256_castsi256_si128(a); }
  static __m128i folded(Wide a) { return _mm_xor_si128(first(a), _mm256_extracti128_si256(a, 1)); }
  static Wide exclusive_or(Wide a, Wide b) { return _mm256_xor_si256(a, b); }
  static Wide shuffled(Wide a, Wide order) { return _mm256_shuffle_epi8(a, order); }
  static Wide swapped(Wide a) { return _mm256_shuffle_epi32(a, 0x4e); }
  static Wide round(Wide a, Wide key) { return _mm256_aesenc_epi128(a, key); }
  static Wide last_round(Wide a, Wide key) { return _mm256_aesenclast_epi128(a, key); }
  template <int halves>
  static Wide product(Wide a, Wide b) {
    return _mm256_clmulepi64_epi128(a, b, halves);
  }
};
using Method = Gcm<WideAes<TwoBlocks, 8>>;

}  // namespace

const SealMethod aes_128_gcm_by_vaes{"AES-128-GCM", Method::prepare, Method::seal, Method::open};

}  // namespace atrium

ATRIUM_END_INSTRUCTIONS
#endif
