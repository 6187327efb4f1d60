// AES-128-GCM over a machine's instructions: eight blocks at a time, so that a processor can do several steps at once.
// SPDX-License-Identifier: BSD-3-Clause
//
// The hash is a polynomial of blocks at the point H in a field of 2^128 elements. It is computed on blocks whose bytes are
// reversed, as POLYVAL (RFC 8452, appendix A): then no product needs a shift. Eight products are added before one reduction.
//
// Loops over a step's blocks are unrolled, so that the blocks stay in registers: else it takes five times as long.
//
// A machine M has: Block; load, store, reversed, exclusive_or, is_zero, numbered; expand_key, encrypt<n>; Product, multiply,
// reduce.
#pragma once

#include <algorithm>
#include <cstring>

#include "cipher/cipher.hpp"

namespace atrium {

template <class M>
class Gcm {
  using Block = typename M::Block;
  static constexpr size_t width = 8;  // blocks of a step
  static constexpr size_t block_bytes = 16;

  struct Key {
    Block rounds[11];
    Block powers[width];  // of H: the first, the second, ...
  };
  static_assert(sizeof(Key) <= sizeof(SealKey));

  static const Key& key_of(const SealKey& key) { return *reinterpret_cast<const Key*>(key.state); }

  // Of the hash: what was added so far.
  class Hash {
   public:
    explicit Hash(const Key& key) : powers_(key.powers) {}
    // Filled up with zeros to whole blocks.
    void add_bytes(const char* data, size_t bytes) {
      for (size_t at = 0; at < bytes; at += block_bytes) {
        char block[block_bytes] = {};
        std::memcpy(block, data + at, std::min(block_bytes, bytes - at));
        add(M::load(block));
      }
    }
    void add(Block block) {
      held_[count_++] = M::reversed(block);
      if (count_ == width) flush();
    }
    // Requires: nothing is held.
    void add_step(const Block* blocks) {
      typename M::Product product{};
      M::multiply(product, M::exclusive_or(sum_, M::reversed(blocks[0])), powers_[width - 1]);
#pragma GCC unroll 8
      for (size_t i = 1; i < width; ++i) M::multiply(product, M::reversed(blocks[i]), powers_[width - 1 - i]);
      sum_ = M::reduce(product);
    }
    void flush() {
      if (count_ == 0) return;
      typename M::Product product{};
      M::multiply(product, M::exclusive_or(sum_, held_[0]), powers_[count_ - 1]);
      for (size_t i = 1; i < count_; ++i) M::multiply(product, held_[i], powers_[count_ - 1 - i]);
      sum_ = M::reduce(product);
      count_ = 0;
    }
    Block value() { return flush(), M::reversed(sum_); }

   private:
    const Block* powers_;
    Block sum_{};
    Block held_[width];
    size_t count_ = 0;
  };

  // Masks for blocks 1, 2, 3, ...: the first is the tag's.
  class Masks {
   public:
    Masks(const Key& key, const SealNumber& number) : key_(key), number_(number) {}
    void next(Block* masks) {
#pragma GCC unroll 8
      for (size_t i = 0; i < width; ++i) masks[i] = M::numbered(number_, ++counter_);
      M::template encrypt<width>(key_.rounds, masks);
    }

   private:
    const Key& key_;
    SealNumber number_;
    uint32_t counter_ = 0;
  };

  // A few bytes, at most width blocks. The hash is of what is sealed.
  template <bool sealing>
  static void cover_rest(char* data, size_t bytes, const Block* masks, Hash& hash) {
    for (size_t i = 0; i * block_bytes < bytes; ++i) {
      char* at = data + i * block_bytes;
      const size_t some = std::min(block_bytes, bytes - i * block_bytes);
      char block[block_bytes] = {};
      std::memcpy(block, at, some);
      if (!sealing) hash.add(M::load(block));
      M::store(block, M::exclusive_or(M::load(block), masks[i]));
      std::memcpy(at, block, some);
      if (!sealing) continue;
      std::memset(block + some, 0, block_bytes - some);
      hash.add(M::load(block));
    }
  }

  template <bool sealing>
  static void cover_step(char* data, const Block* masks, Hash& hash) {
    Block sealed[width];
#pragma GCC unroll 8
    for (size_t i = 0; i < width; ++i) {
      const Block before = M::load(data + i * block_bytes), after = M::exclusive_or(before, masks[i]);
      M::store(data + i * block_bytes, after);
      sealed[i] = sealing ? after : before;
    }
    hash.add_step(sealed);
  }

  template <bool sealing>
  static Block cover(const SealKey& sealed, const SealNumber& number, const SealedText& text) {
    const Key& key = key_of(sealed);
    Hash hash(key);
    Masks source(key, number);
    Block masks[width];
    source.next(masks);
    const Block of_tag = masks[0];
    hash.add_bytes(static_cast<const char*>(text.beside), text.beside_bytes);
    size_t at = std::min((width - 1) * block_bytes, text.bytes);
    cover_rest<sealing>(text.data, at, masks + 1, hash);
    hash.flush();
    for (; text.bytes - at >= width * block_bytes; at += width * block_bytes) {
      source.next(masks);
      cover_step<sealing>(text.data + at, masks, hash);
    }
    if (at < text.bytes) {
      source.next(masks);
      cover_rest<sealing>(text.data + at, text.bytes - at, masks, hash);
    }
    uint64_t lengths[2] = {__builtin_bswap64(text.beside_bytes * 8), __builtin_bswap64(text.bytes * 8)};
    hash.add(M::load(lengths));
    return M::exclusive_or(hash.value(), of_tag);
  }

 public:
  static void prepare(SealKey& into, const unsigned char* secret) {
    Key key;
    M::expand_key(secret, key.rounds);
    Block point{};
    M::template encrypt<1>(key.rounds, &point);
    key.powers[0] = M::doubled(M::reversed(point));
    for (size_t i = 1; i < width; ++i) {
      typename M::Product product{};
      M::multiply(product, key.powers[i - 1], key.powers[0]);
      key.powers[i] = M::reduce(product);
    }
    std::memcpy(into.state, &key, sizeof key);
  }
  static void seal(const SealKey& key, const SealNumber& number, const SealedText& text, char* tag) {
    M::store(tag, cover<true>(key, number, text));
  }
  static bool open(const SealKey& key, const SealNumber& number, const SealedText& text, const char* tag) {
    return M::is_zero(M::exclusive_or(cover<false>(key, number, text), M::load(tag)));
  }
};

}  // namespace atrium
