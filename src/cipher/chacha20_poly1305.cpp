// ChaCha20-Poly1305 as RFC 8439 has it, in plain C++: neither tables nor branches depend on what is secret.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <bit>
#include <cstring>

#include "cipher/cipher.hpp"

namespace atrium {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are read as they lie in memory");

constexpr size_t block_bytes = 64;

struct ChaChaInput {
  uint32_t words[16];
};

// Constants, key, counter, nonce.
ChaChaInput chacha_input(const unsigned char* key, uint32_t counter, const uint32_t nonce[3]) {
  ChaChaInput input{{0x61707865, 0x3320646e, 0x79622d32, 0x6b206574}};
  std::memcpy(input.words + 4, key, seal_key_bytes);
  input.words[12] = counter;
  std::memcpy(input.words + 13, nonce, 12);
  return input;
}

void quarter_round(uint32_t& a, uint32_t& b, uint32_t& c, uint32_t& d) {
  a += b, d = std::rotl(d ^ a, 16);
  c += d, b = std::rotl(b ^ c, 12);
  a += b, d = std::rotl(d ^ a, 8);
  c += d, b = std::rotl(b ^ c, 7);
}

void chacha_block(const ChaChaInput& input, unsigned char* out) {
  ChaChaInput x = input;
  uint32_t* w = x.words;
  for (int round = 0; round < 20; round += 2) {
    for (int i = 0; i < 4; ++i) quarter_round(w[i], w[4 + i], w[8 + i], w[12 + i]);
    for (int i = 0; i < 4; ++i)
      quarter_round(w[i], w[4 + (i + 1) % 4], w[8 + (i + 2) % 4], w[12 + (i + 3) % 4]);
  }
  for (int i = 0; i < 16; ++i) w[i] += input.words[i];
  std::memcpy(out, w, block_bytes);
}

void chacha_xor(ChaChaInput input, char* data, size_t bytes) {
  unsigned char stream[block_bytes];
  for (size_t at = 0; at < bytes; at += block_bytes, ++input.words[12]) {
    chacha_block(input, stream);
    const size_t some = std::min(block_bytes, bytes - at);
    for (size_t i = 0; i < some; ++i) data[at + i] = static_cast<char>(data[at + i] ^ stream[i]);
  }
}

// A polynomial of blocks at a secret point, modulo 2^130 - 5. Numbers have limbs of 44, 44 and 42 bits.
class Poly1305 {
 public:
  explicit Poly1305(const unsigned char* key) {
    uint64_t low, high;
    std::memcpy(&low, key, 8);
    std::memcpy(&high, key + 8, 8);
    low &= 0x0ffffffc0fffffff, high &= 0x0ffffffc0ffffffc;
    r_[0] = low & mask44;
    r_[1] = (low >> 44 | high << 20) & mask44;
    r_[2] = high >> 24;
    std::memcpy(pad_, key + 16, 16);
  }

  // Filled up with zeros to whole blocks.
  void add(const void* data, size_t bytes) {
    for (size_t at = 0; at < bytes; at += 16) {
      unsigned char block[16] = {};
      std::memcpy(block, static_cast<const char*>(data) + at, std::min<size_t>(16, bytes - at));
      add_block(block);
    }
  }

  void finish(unsigned char* tag) {
    carry();
    carry();
    // h - p, if that is not negative.
    uint64_t g0 = h_[0] + 5, g1 = h_[1] + (g0 >> 44), g2 = h_[2] + (g1 >> 44) - (uint64_t{1} << 42);
    g0 &= mask44, g1 &= mask44;
    const uint64_t keep = 0 - (g2 >> 63);
    const uint64_t h0 = (h_[0] & keep) | (g0 & ~keep), h1 = (h_[1] & keep) | (g1 & ~keep),
                   h2 = (h_[2] & keep) | (g2 & ~keep);
    const auto low = static_cast<unsigned __int128>(h0 | h1 << 44) + pad_[0];
    const uint64_t words[2] = {static_cast<uint64_t>(low),
                               (h1 >> 20 | h2 << 24) + pad_[1] + static_cast<uint64_t>(low >> 64)};
    std::memcpy(tag, words, 16);
  }

 private:
  using Wide = unsigned __int128;
  static constexpr uint64_t mask44 = (uint64_t{1} << 44) - 1, mask42 = (uint64_t{1} << 42) - 1;

  void add_block(const unsigned char* block) {
    uint64_t low, high;
    std::memcpy(&low, block, 8);
    std::memcpy(&high, block + 8, 8);
    h_[0] += low & mask44;
    h_[1] += (low >> 44 | high << 20) & mask44;
    h_[2] += high >> 24 | uint64_t{1} << 40;
    const uint64_t s1 = r_[1] * 20, s2 = r_[2] * 20;  // 2^132 is 20
    const Wide d0 = Wide{h_[0]} * r_[0] + Wide{h_[1]} * s2 + Wide{h_[2]} * s1;
    Wide d1 = Wide{h_[0]} * r_[1] + Wide{h_[1]} * r_[0] + Wide{h_[2]} * s2;
    Wide d2 = Wide{h_[0]} * r_[2] + Wide{h_[1]} * r_[1] + Wide{h_[2]} * r_[0];
    h_[0] = static_cast<uint64_t>(d0) & mask44;
    d1 += static_cast<uint64_t>(d0 >> 44);
    h_[1] = static_cast<uint64_t>(d1) & mask44;
    d2 += static_cast<uint64_t>(d1 >> 44);
    h_[2] = static_cast<uint64_t>(d2) & mask42;
    h_[0] += static_cast<uint64_t>(d2 >> 42) * 5;
    h_[1] += h_[0] >> 44;
    h_[0] &= mask44;
  }
  void carry() {
    h_[1] += h_[0] >> 44, h_[0] &= mask44;
    h_[2] += h_[1] >> 44, h_[1] &= mask44;
    h_[0] += (h_[2] >> 42) * 5, h_[2] &= mask42;
    h_[1] += h_[0] >> 44, h_[0] &= mask44;
  }

  uint64_t r_[3], h_[3] = {}, pad_[2];
};

struct Opened {
  ChaChaInput stream;
  Poly1305 code;
};

Opened begin(const SealKey& key, const SealNumber& number) {
  uint32_t nonce[3] = {number.series};
  std::memcpy(nonce + 1, &number.number, 8);
  ChaChaInput input = chacha_input(key.state, 0, nonce);
  unsigned char once[block_bytes];
  chacha_block(input, once);
  input.words[12] = 1;
  return {input, Poly1305(once)};
}

// Over the sealed bytes.
void tag_of(Poly1305& code, const SealedText& text, unsigned char* tag) {
  code.add(text.beside, text.beside_bytes);
  code.add(text.data, text.bytes);
  const uint64_t lengths[2] = {text.beside_bytes, text.bytes};
  code.add(lengths, sizeof lengths);
  code.finish(tag);
}

void prepare(SealKey& key, const unsigned char* secret) { std::memcpy(key.state, secret, seal_key_bytes); }

void seal(const SealKey& key, const SealNumber& number, const SealedText& text, char* tag) {
  Opened opened = begin(key, number);
  chacha_xor(opened.stream, text.data, text.bytes);
  tag_of(opened.code, text, reinterpret_cast<unsigned char*>(tag));
}

bool open(const SealKey& key, const SealNumber& number, const SealedText& text, const char* tag) {
  Opened opened = begin(key, number);
  uint64_t right[2], given[2];
  tag_of(opened.code, text, reinterpret_cast<unsigned char*>(right));
  std::memcpy(given, tag, sizeof given);
  if (((right[0] ^ given[0]) | (right[1] ^ given[1])) != 0) return false;
  chacha_xor(opened.stream, text.data, text.bytes);
  return true;
}

}  // namespace

const SealMethod chacha20_poly1305{"ChaCha20-Poly1305", prepare, seal, open};

void derive_key(const unsigned char* secret, const KeyPurpose& purpose, unsigned char* key) {
  unsigned char block[block_bytes];
  chacha_block(chacha_input(secret, purpose.use, purpose.parts), block);
  std::memcpy(key, block, seal_key_bytes);
}

}  // namespace atrium
