// AES-128-GCM by VAES and VPCLMULQDQ on registers of four blocks, those of AVX-512.
// SPDX-License-Identifier: BSD-3-Clause
#include "cipher/aes_128_gcm.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

#include <algorithm>
#include <cstring>

#include "arch/instructions.hpp"

ATRIUM_IGNORE_UNINITIALIZED_INTRINSICS

ATRIUM_BEGIN_INSTRUCTIONS("vaes,vpclmulqdq,avx512f,avx512bw,avx2,aes,pclmul")

#include "cipher/gcm.hpp"
#include "cipher/wide_aes.hpp"

namespace atrium {
namespace {

struct FourBlocks {
  using Wide = __m512i;
  static Wide load(const void* at) { return _mm512_loadu_si512(at); }
  static void store(void* at, Wide blocks) { _mm512_storeu_si512(at, blocks); }
  static Wide widened(__m128i block) { return _mm512_zextsi128_si512(block); }
  static Wide spread(__m128i block) { return _mm512_broadcast_i32x4(block); }
  static __m128i first(Wide a) { return _mm512_castsi512_si128(a); }
  static __m128i folded(Wide a) {
    const __m256i half = _mm256_xor_si256(_mm512_castsi512_si256(a), _mm512_extracti64x4_epi64(a, 1));
    return _mm_xor_si128(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
  }
  static Wide exclusive_or(Wide a, Wide b) { return _mm512_xor_si512(a, b); }
  static Wide shuffled(Wide a, Wide order) { return _mm512_shuffle_epi8(a, order); }
  static Wide swapped(Wide a) { return _mm512_shuffle_epi32(a, static_cast<_MM_PERM_ENUM>(0x4e)); }
  static Wide round(Wide a, Wide key) { return _mm512_aesenc_epi128(a, key); }
  static Wide last_round(Wide a, Wide key) { return _mm512_aesenclast_epi128(a, key); }
  template <int halves>
  static Wide product(Wide a, Wide b) {
    return _mm512_clmulepi64_epi128(a, b, halves);
  }
};
using Method = Gcm<WideAes<FourBlocks, 16>>;

// Steps of sixteen blocks pay from here on (bench/seal_costs); all ways have the same keys.
constexpr size_t large = 512;

void seal(const SealKey& key, const SealNumber& number, const SealedText& text, char* tag) {
  (text.bytes < large ? aes_128_gcm_by_vaes.seal : Method::seal)(key, number, text, tag);
}
bool open(const SealKey& key, const SealNumber& number, const SealedText& text, const char* tag) {
  return (text.bytes < large ? aes_128_gcm_by_vaes.open : Method::open)(key, number, text, tag);
}

}  // namespace

const SealMethod aes_128_gcm_by_vaes_512{"AES-128-GCM", Method::prepare, seal, open};

}  // namespace atrium

ATRIUM_END_INSTRUCTIONS
#endif
