// The instructions of VAES and VPCLMULQDQ that AES-128-GCM uses: the machine of gcm.hpp whose registers hold several blocks.
// SPDX-License-Identifier: BSD-3-Clause
//
// A Register has Wide and, of Wides: load, store, widened, spread, first, folded (the sum of the blocks), exclusive_or,
// shuffled (bytes within each block), swapped (the halves of each block), round, last_round, product<halves>.
#pragma once

#include "cipher/aes_ni.hpp"

namespace atrium {
namespace {

template <class Register, size_t blocks_of_a_step>
struct WideAes : AesNi {
  using Wide = typename Register::Wide;
  static constexpr size_t step_blocks = blocks_of_a_step;
  struct Product {
    Wide low{}, middle{}, high{};
  };
  using AesNi::exclusive_or;
  using AesNi::reversed;

  static Wide load_wide(const void* at) { return Register::load(at); }
  static void store_wide(void* at, Wide blocks) { Register::store(at, blocks); }
  static Wide widened(Block block) { return Register::widened(block); }
  static Wide spread(Block block) { return Register::spread(block); }
  static Block first(Wide blocks) { return Register::first(blocks); }
  static Wide exclusive_or(Wide a, Wide b) { return Register::exclusive_or(a, b); }
  static Wide reversed(Wide a) { return Register::shuffled(a, spread(backwards())); }

  template <size_t n, class Work>
  [[gnu::always_inline]] static void encrypt(const Block* rounds, Wide* blocks, const Work& between) {
#pragma GCC unroll 8
    for (size_t i = 0; i < n; ++i) blocks[i] = exclusive_or(blocks[i], spread(rounds[0]));
#pragma GCC unroll 9
    for (size_t round = 1; round < 10; ++round) {
#pragma GCC unroll 8
      for (size_t i = 0; i < n; ++i) blocks[i] = Register::round(blocks[i], spread(rounds[round]));
      if (round <= n) between(round - 1);
    }
#pragma GCC unroll 8
    for (size_t i = 0; i < n; ++i) blocks[i] = Register::last_round(blocks[i], spread(rounds[10]));
  }

  static Wide sum_of_halves(Wide a) { return exclusive_or(a, Register::swapped(a)); }
  static void multiply(Product& product, Wide a, Wide b) {
    product.low = exclusive_or(product.low, Register::template product<0x00>(a, b));
    product.high = exclusive_or(product.high, Register::template product<0x11>(a, b));
    product.middle =
        exclusive_or(product.middle, Register::template product<0x00>(sum_of_halves(a), sum_of_halves(b)));
  }
  static Block reduce(const Product& product) {
    return AesNi::reduce(
        {Register::folded(product.low), Register::folded(product.middle), Register::folded(product.high)});
  }
};

}  // namespace
}  // namespace atrium
