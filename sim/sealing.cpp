// Makes the tags of simulated messages, which depend on everything but the bytes themselves.
// SPDX-License-Identifier: BSD-3-Clause
#include "sim/sealing.hpp"

#include <cstring>

#include "sim/random.hpp"

namespace atrium::sim {
namespace {

struct Tag {
  uint64_t words[2];
};
static_assert(sizeof(Tag) == seal_tag_bytes);

void prepare(SealKey& key, const unsigned char* secret) { std::memcpy(key.state, secret, sizeof(uint64_t)); }

Tag tag_of(const SealKey& key, const SealNumber& number, const SealedText& text) {
  uint64_t secret;
  std::memcpy(&secret, key.state, sizeof secret);
  return {{mixed(secret + number.number), uint64_t{number.series} << 32 | text.bytes}};
}

void seal(const SealKey& key, const SealNumber& number, const SealedText& text, char* tag) {
  const Tag sum = tag_of(key, number, text);
  std::memcpy(tag, &sum, sizeof sum);
}

bool open(const SealKey& key, const SealNumber& number, const SealedText& text, const char* tag) {
  const Tag sum = tag_of(key, number, text);
  return std::memcmp(tag, &sum, sizeof sum) == 0;
}

}  // namespace

constexpr SealMethod sealed_by_a_sum{"a sum", prepare, seal, open};

}  // namespace atrium::sim
