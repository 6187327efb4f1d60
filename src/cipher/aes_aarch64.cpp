// AES-128-GCM by the instructions of AArch64: the cryptographic extension, which nearly all servers have.
// SPDX-License-Identifier: BSD-3-Clause
#include "cipher/aes_128_gcm.hpp"

#if defined(__aarch64__)
#include <arm_neon.h>

#include <algorithm>
#include <cstring>

#include "arch/instructions.hpp"

ATRIUM_BEGIN_INSTRUCTIONS(ATRIUM_CRYPTOGRAPHY_OF_AARCH64)

#include "cipher/gcm.hpp"

namespace atrium {
namespace {

struct Aarch64 {
  using Block = uint8x16_t;
  using Wide = Block;
  static constexpr size_t step_blocks = 8;
  struct Product {
    Block low{}, middle{}, high{};
  };

  static Block load(const void* at) { return vld1q_u8(static_cast<const uint8_t*>(at)); }
  static void store(void* at, Block block) { vst1q_u8(static_cast<uint8_t*>(at), block); }
  static Block exclusive_or(Block a, Block b) { return veorq_u8(a, b); }
  static Block both(Block a, Block b) { return vandq_u8(a, b); }
  static bool is_zero(Block a) { return vmaxvq_u8(a) == 0; }
  static Block reversed(Block a) {
    const Block halves = vrev64q_u8(a);
    return vextq_u8(halves, halves, 8);
  }
  static Block of_words(uint64_t low, uint64_t high) {
    return vreinterpretq_u8_u64(vcombine_u64(vcreate_u64(low), vcreate_u64(high)));
  }
  static Block load_wide(const void* at) { return load(at); }
  static void store_wide(void* at, Block block) { store(at, block); }
  static Block widened(Block block) { return block; }
  static Block spread(Block block) { return block; }
  static Block first(Block block) { return block; }

  template <size_t n, class Work>
  [[gnu::always_inline]] static void encrypt(const Block* rounds, Block* blocks, const Work& between) {
#pragma GCC unroll 9
    for (size_t round = 0; round < 9; ++round) {
#pragma GCC unroll 8
      for (size_t i = 0; i < n; ++i) blocks[i] = vaesmcq_u8(vaeseq_u8(blocks[i], rounds[round]));
      if (round < n) between(round);
    }
#pragma GCC unroll 8
    for (size_t i = 0; i < n; ++i) blocks[i] = veorq_u8(vaeseq_u8(blocks[i], rounds[9]), rounds[10]);
  }

  // The table of substitutions on four bytes. A round has it behind a shift of rows, which does nothing to four equal columns.
  static uint32_t substituted(uint32_t word) {
    const Block columns = vreinterpretq_u8_u32(vdupq_n_u32(word));
    return vgetq_lane_u32(vreinterpretq_u32_u8(vaeseq_u8(columns, vdupq_n_u8(0))), 0);
  }
  static void expand_key(const unsigned char* secret, Block* rounds) {
    static constexpr uint32_t constants[] = {0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0x1b, 0x36};
    uint32_t words[44];
    std::memcpy(words, secret, 16);
    for (size_t i = 4; i < 44; ++i) {
      uint32_t word = words[i - 1];
      if (i % 4 == 0) {
        word = substituted(word);
        word = (word >> 8 | word << 24) ^ constants[i / 4 - 1];
      }
      words[i] = words[i - 4] ^ word;
    }
    for (size_t i = 0; i < 11; ++i) rounds[i] = load(words + 4 * i);
  }

  static Block times(poly64_t a, poly64_t b) { return vreinterpretq_u8_p128(vmull_p64(a, b)); }
  static poly64_t half(Block a, int which) {
    const poly64x2_t both = vreinterpretq_p64_u8(a);
    return which == 0 ? vgetq_lane_p64(both, 0) : vgetq_lane_p64(both, 1);
  }
  static void multiply(Product& product, Block a, Block b) {
    product.low = veorq_u8(product.low, times(half(a, 0), half(b, 0)));
    product.high = veorq_u8(product.high, times(half(a, 1), half(b, 1)));
    product.middle = veorq_u8(product.middle, times(half(a, 1), half(b, 0)));
    product.middle = veorq_u8(product.middle, times(half(a, 0), half(b, 1)));
  }
  // Divides by x^128 in the field, as each product of POLYVAL does.
  static Block reduce(const Product& product) {
    const Block zero = vdupq_n_u8(0);
    const auto polynomial = static_cast<poly64_t>(0xc200000000000000);
    Block low = veorq_u8(product.low, vextq_u8(zero, product.middle, 8));
    const Block high = veorq_u8(product.high, vextq_u8(product.middle, zero, 8));
    for (int step = 0; step < 2; ++step)
      low = veorq_u8(vextq_u8(low, low, 8), times(half(low, 0), polynomial));
    return veorq_u8(high, low);
  }
  // Times x.
  static Block doubled(Block a) {
    const uint64x2_t words = vreinterpretq_u64_u8(a);
    const uint64_t low = vgetq_lane_u64(words, 0), high = vgetq_lane_u64(words, 1);
    const uint64_t carry = 0 - (high >> 63);
    return of_words(low << 1 ^ (carry & 1), (high << 1 | low >> 63) ^ (carry & 0xc200000000000000));
  }
};

}  // namespace

const SealMethod aes_128_gcm_by_aarch64{"AES-128-GCM", Gcm<Aarch64>::prepare, Gcm<Aarch64>::seal,
                                        Gcm<Aarch64>::open};

std::span<const AesWay> aes_128_gcm_ways() {
  static constexpr AesWay ways[] = {
      {"aarch64", [](const Processor& processor) { return processor.aes; }, &aes_128_gcm_by_aarch64}};
  return ways;
}

}  // namespace atrium

ATRIUM_END_INSTRUCTIONS
#endif
