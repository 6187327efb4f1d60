// AES-128-GCM over a machine's instructions: a *step* is of several blocks, which a processor works on at once.
// SPDX-License-Identifier: BSD-3-Clause
//
// The hash is a polynomial of blocks at the point H in a field of 2^128 elements. It is computed on blocks whose bytes are
// reversed, as POLYVAL (RFC 8452, appendix A): then no product needs a shift. As many products as a step has blocks are
// added before one reduction, at most: they are a *group*. What is small is one group with all that belongs to it.
//
// Loops over a step's blocks are unrolled, so that the blocks stay in registers: else it takes five times as long. Functions
// of a step become part of seal and open (gnu::always_inline) for the same reason.
//
// A machine M has step_blocks; Block, and Wide, as many blocks as one register has (maybe one). Of a Block: load, store, of_words, first (of a
// Wide), exclusive_or, both (a bitwise and), is_zero, reversed; of a Wide: load_wide, store_wide, widened (a Block, and zeros),
// spread (a Block in each place), exclusive_or, reversed. expand_key; encrypt<n> of n Wides, which calls between(0), ...,
// between(n - 1) among the rounds; Product, of Wides, to which multiply adds one, and which reduce makes a Block; doubled.
#pragma once

#include <algorithm>
#include <cstring>

#include "cipher/cipher.hpp"

namespace atrium {

// The last byte of each block of a step, which counts them.
struct StepCounters {
  unsigned char blocks[16][16] = {};
  constexpr StepCounters() {
    for (unsigned char i = 0; i < 16; ++i) blocks[i][15] = i;
  }
};
alignas(64) inline constexpr StepCounters step_counters;

// From byte 16 - n on: a mask of a block's first n bytes.
struct KeptBytes {
  unsigned char bytes[32] = {};
  constexpr KeptBytes() {
    for (int i = 0; i < 16; ++i) bytes[i] = 0xff;
  }
};
inline constexpr KeptBytes kept_bytes;

template <class M>
class Gcm {
  using Block = typename M::Block;
  using Wide = typename M::Wide;
  using Product = typename M::Product;
  static constexpr size_t width = M::step_blocks;
  static constexpr size_t block_bytes = 16, wide_bytes = sizeof(Wide);
  static constexpr size_t lanes = wide_bytes / block_bytes, wides = width / lanes;
  static constexpr size_t first_mask = 2;  // those of counters 0 and 1 are for no data

  // The same for each M, so that what one prepares all others can use.
  static constexpr size_t most_powers = 16;
  struct Key {
    Block powers[most_powers];  // of H: the sixteenth, the fifteenth, ..., the first
    Block rounds[11];
  };
  static_assert(sizeof(Key) <= sizeof(SealKey) && width <= most_powers);

  static const Key& key_of(const SealKey& key) { return *reinterpret_cast<const Key*>(key.state); }
  static constexpr size_t blocks_of(size_t bytes) { return (bytes + block_bytes - 1) / block_bytes; }

  // A word of up to eight bytes. Messages are made of words, so the loop is for others.
  static uint64_t word_of(const char* data, size_t bytes) {
    uint64_t word = 0;
    if (bytes < 8)
      for (size_t i = 0; i < bytes; ++i) word |= uint64_t{static_cast<unsigned char>(data[i])} << 8 * i;
    else
      std::memcpy(&word, data, 8);
    return word;
  }
  // Less than a block, filled up with zeros. Not by way of memory: a load that needs several stores waits until they are done.
  static Block load_part(const char* data, size_t bytes) {
    return bytes < 8 ? M::of_words(word_of(data, bytes), 0)
                     : M::of_words(word_of(data, 8), word_of(data + 8, bytes - 8));
  }

  // Of the hash: what was added so far.
  class Hash {
   public:
    explicit Hash(const Key& key) : end_(key.powers + most_powers), power_(end_) {}

    // Opens a group of `count` blocks, at most width, unless one is open.
    [[gnu::always_inline]] void expect(size_t count) {
      if (power_ == end_) power_ = end_ - count;
    }
    [[gnu::always_inline]] void add(Block block) {
      multiply(M::widened(block), M::widened(M::load(power_)));
      took(1);
    }
    [[gnu::always_inline]] void add_wide(Wide blocks) {
      multiply(blocks, M::load_wide(power_));
      took(lanes);
    }
    // The same for the Wides of a step, which is a group: no power need be looked for. Requires: no group is open.
    [[gnu::always_inline]] void add_of_step(Wide blocks, size_t i) {
      multiply(blocks, M::load_wide(end_ - width + i * lanes));
      if (i == wides - 1) end();
    }
    // Filled up with zeros to whole blocks.
    void add_bytes(const char* data, size_t bytes) {
      for (size_t some; bytes > 0; data += some, bytes -= some) {
        some = std::min(bytes, block_bytes);
        expect(std::min(width, blocks_of(bytes)));
        add(some < block_bytes ? load_part(data, some) : M::load(data));
      }
    }
    Block value() const { return M::reversed(M::first(sum_)); }

   private:
    [[gnu::always_inline]] void multiply(Wide blocks, Wide powers) {
      M::multiply(product_, M::exclusive_or(M::reversed(blocks), sum_), powers);
      sum_ = Wide{};
    }
    [[gnu::always_inline]] void took(size_t count) {
      power_ += count;
      if (power_ == end_) end();
    }
    [[gnu::always_inline]] void end() {
      sum_ = M::widened(M::reduce(product_));
      product_ = {};
    }

    const Block* end_;
    const Block* power_;  // of the next block; end_: no group is open
    Product product_{};
    Wide sum_{};
  };

  // Masks of the first step's blocks, then of the second's, ...: the counters of a step differ in a few bits only.
  class Masks {
   public:
    Masks(const Key& key, const SealNumber& number) : key_(key), number_(number) {}
    // Calls between(i), for each Wide of a step, among the rounds: other work, which the processor does meanwhile.
    template <class Work>
    [[gnu::always_inline]] void next(Wide* masks, const Work& between) {
      // Series, number and, most significant byte first, a counter.
      const Wide start =
          M::spread(M::of_words(number_.series | number_.number << 32,
                                number_.number >> 32 | uint64_t{__builtin_bswap32(counter_)} << 32));
#pragma GCC unroll 8
      for (size_t i = 0; i < wides; ++i)
        masks[i] = M::exclusive_or(start, M::load_wide(step_counters.blocks + i * lanes));
      M::template encrypt<wides>(key_.rounds, masks, between);
      counter_ += width;
    }

   private:
    const Key& key_;
    SealNumber number_;
    uint32_t counter_ = 0;
  };

  // Fewer than `lanes` blocks and a part of one, as far as there are. The hash is of what is sealed.
  template <bool sealing>
  [[gnu::always_inline]] static void cover_block(char* data, size_t bytes, const char* mask, Hash& hash) {
    const bool whole = bytes == block_bytes;
    const Block before = whole ? M::load(data) : load_part(data, bytes);
    const Block kept = M::both(M::load(mask), M::load(kept_bytes.bytes + block_bytes - bytes));
    const Block after = M::exclusive_or(before, kept);
    if (whole) {
      M::store(data, after);
    } else {
      char block[block_bytes];
      M::store(block, after);
      std::memcpy(data, block, bytes);
    }
    hash.add(sealing ? after : before);
  }

  // At most as many bytes as masks.
  template <bool sealing>
  [[gnu::always_inline]] static void cover_few(char* data, size_t bytes, const char* masks, Hash& hash) {
    const char* const end = data + bytes;
    for (; static_cast<size_t>(end - data) >= wide_bytes; data += wide_bytes, masks += wide_bytes) {
      const Wide before = M::load_wide(data), after = M::exclusive_or(before, M::load_wide(masks));
      M::store_wide(data, after);
      hash.add_wide(sealing ? after : before);
    }
    for (size_t some; data != end; data += some, masks += some) {
      some = std::min(block_bytes, static_cast<size_t>(end - data));
      cover_block<sealing>(data, some, masks, hash);
    }
  }

  static void hash_nothing(size_t) {}

  // Whole steps, of which it returns the bytes. What is hashed among a step's rounds is, for they must be sealed first, the step
  // before when sealing, and this one when opening. What was sealed stays in registers: to load what was just stored takes longer.
  template <bool sealing>
  [[gnu::always_inline]] static size_t cover_steps(char* data, size_t bytes, Masks& source, Hash& hash) {
    constexpr size_t step = width * block_bytes;
    const size_t end = bytes / step * step;
    Wide masks[wides], covered[wides];
    for (size_t at = 0; at < end; at += step) {
      char* const here = data + at;
      const auto hash_wide = [&](size_t i) __attribute__((always_inline)) {
        hash.add_of_step(sealing ? covered[i] : M::load_wide(here + i * wide_bytes), i);
      };
      if (sealing && at == 0)
        source.next(masks, hash_nothing);
      else
        source.next(masks, hash_wide);
#pragma GCC unroll 8
      for (size_t i = 0; i < wides; ++i) {
        covered[i] = M::exclusive_or(M::load_wide(here + i * wide_bytes), masks[i]);
        M::store_wide(here + i * wide_bytes, covered[i]);
      }
    }
    if (sealing && end > 0) {
#pragma GCC unroll 8
      for (size_t i = 0; i < wides; ++i) hash.add_of_step(covered[i], i);
    }
    return end;
  }

  template <bool sealing>
  static Block cover(const SealKey& sealed, const SealNumber& number, const SealedText& text) {
    const Key& key = key_of(sealed);
    Hash hash(key);
    Masks source(key, number);
    Wide masks[wides];
    source.next(masks, hash_nothing);
    const char* const mask_bytes = reinterpret_cast<const char*>(masks);
    const Block of_tag = M::load(mask_bytes + block_bytes);

    constexpr size_t first_blocks = width - first_mask;
    const size_t data_blocks = blocks_of(text.bytes), beside_blocks = blocks_of(text.beside_bytes);
    const size_t first_group = data_blocks <= first_blocks ? data_blocks + 1 : first_blocks;
    if (beside_blocks + first_group <= width) hash.expect(beside_blocks + first_group);
    hash.add_bytes(static_cast<const char*>(text.beside), text.beside_bytes);
    hash.expect(first_group);

    char* data = text.data;
    size_t bytes = std::min(first_blocks * block_bytes, text.bytes);
    cover_few<sealing>(data, bytes, mask_bytes + first_mask * block_bytes, hash);
    data += bytes, bytes = text.bytes - bytes;
    const size_t in_steps = cover_steps<sealing>(data, bytes, source, hash);
    data += in_steps, bytes -= in_steps;
    if (bytes > 0) {
      source.next(masks, hash_nothing);
      hash.expect(std::min(width, blocks_of(bytes) + 1));
      cover_few<sealing>(data, bytes, mask_bytes, hash);
    }
    const uint64_t lengths[2] = {__builtin_bswap64(text.beside_bytes * 8), __builtin_bswap64(text.bytes * 8)};
    hash.expect(1);
    hash.add(M::load(lengths));
    return M::exclusive_or(hash.value(), of_tag);
  }

 public:
  static void prepare(SealKey& into, const unsigned char* secret) {
    Key key{};
    M::expand_key(secret, key.rounds);
    Wide point{};
    M::template encrypt<1>(key.rounds, &point, hash_nothing);
    const Block first = M::doubled(M::reversed(M::first(point)));
    key.powers[most_powers - 1] = first;
    for (size_t i = most_powers - 1; i > 0; --i) {
      Product product{};
      M::multiply(product, M::widened(key.powers[i]), M::widened(first));
      key.powers[i - 1] = M::reduce(product);
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
