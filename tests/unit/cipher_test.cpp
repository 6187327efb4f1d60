// Sealing, by each method: the published examples, what OpenSSL makes of the same, and whatever was changed stays closed.
// SPDX-License-Identifier: BSD-3-Clause
#include "cipher/cipher.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "atrium_hash.hpp"
#include "cipher/aes_128_gcm.hpp"

namespace atrium {
namespace {

std::string bytes_of(const std::string& hex) {
  std::string bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  return bytes;
}

// Twelve bytes, as the standards write them.
SealNumber number_of(const std::string& nonce) {
  SealNumber number;
  std::memcpy(&number.series, nonce.data(), 4);
  std::memcpy(&number.number, nonce.data() + 4, 8);
  return number;
}

SealKey key_of(const SealMethod& method, std::string secret) {
  secret.resize(seal_key_bytes);
  SealKey key;
  method.prepare(key, reinterpret_cast<const unsigned char*>(secret.data()));
  return key;
}

std::string sealed(const SealMethod& method, const SealKey& key, const SealNumber& number, std::string data,
                   const std::string& beside) {
  char tag[seal_tag_bytes];
  method.seal(key, number, {beside.data(), beside.size(), data.data(), data.size()}, tag);
  return data + std::string(tag, sizeof tag);
}

bool opens(const SealMethod& method, const SealKey& key, const SealNumber& number, std::string& text,
           const std::string& beside) {
  const size_t bytes = text.size() - seal_tag_bytes;
  const bool is_open =
      method.open(key, number, {beside.data(), beside.size(), text.data(), bytes}, text.data() + bytes);
  text.resize(bytes);
  return is_open;
}

// Null where this processor has no instructions for it.
const SealMethod* method_of(const std::string& name) {
  if (name == "chacha20_poly1305") return &chacha20_poly1305;
  for (const AesWay& way : aes_128_gcm_ways())
    if (name == way.name && way.runs_on(this_processor())) return way.method;
  return nullptr;
}

class Sealing : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!method) GTEST_SKIP() << "this processor has no instructions for " << GetParam();
  }
  const SealMethod* method = method_of(GetParam());
};
class Cipher : public Sealing {};
class AesWays : public Sealing {};

std::string name_of(const testing::TestParamInfo<const char*>& info) { return info.param; }

// All that are compiled in for such processors.
std::vector<const char*> ways() {
  std::vector<const char*> names;
  for (const AesWay& way : aes_128_gcm_ways()) names.push_back(way.name);
  return names;
}
std::vector<const char*> methods() {
  std::vector<const char*> names = ways();
  names.push_back("chacha20_poly1305");
  return names;
}

INSTANTIATE_TEST_SUITE_P(method, Cipher, testing::ValuesIn(methods()), name_of);
INSTANTIATE_TEST_SUITE_P(way, AesWays, testing::ValuesIn(ways()), name_of);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(AesWays);  // processors for which nobody has written one

TEST(CipherMethods, begin_with_the_way_that_a_job_takes) {
  const SealMethod* first = nullptr;
  for (const AesWay& way : aes_128_gcm_ways())
    if (!first && way.runs_on(this_processor())) first = way.method;
  EXPECT_EQ(aes_128_gcm(), first);
}

// Cases 1, 2 and 4 of McGrew and Viega's "The Galois/Counter Mode of Operation", which NIST has taken over.
TEST_P(AesWays, seal_the_published_examples) {
  const SealKey zero = key_of(*method, std::string(16, '\0'));
  EXPECT_EQ(sealed(*method, zero, {}, "", ""), bytes_of("58e2fccefa7e3061367f1d57a4e7455a"));
  EXPECT_EQ(sealed(*method, zero, {}, std::string(16, '\0'), ""),
            bytes_of("0388dace60b6a392f328c2b971b2fe78ab6e47d42cec13bdf53a67b21257bddf"));
  const std::string data =
      "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aed"
      "f5"
      "aa0de657ba637b39";
  EXPECT_EQ(sealed(*method, key_of(*method, bytes_of("feffe9928665731c6d6a8f9467308308")),
                   number_of(bytes_of("cafebabefacedbaddecaf888")), bytes_of(data),
                   bytes_of("feedfacedeadbeeffeedfacedeadbeefabaddad2")),
            bytes_of("42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5"
                     "aac84aa051ba3"
                     "0b396a0aac973d58e0915bc94fbc3221a5db94fae95ae7121a47"));
}

// Section 2.8.2 of RFC 8439.
TEST(CipherExamples, of_chacha20_poly1305) {
  std::string secret;
  for (int i = 0x80; i < 0xa0; ++i) secret += static_cast<char>(i);
  const std::string text = sealed(chacha20_poly1305, key_of(chacha20_poly1305, secret),
                                  number_of(bytes_of("070000004041424344454647")),
                                  "Ladies and Gentlemen of the class of '99: If I could offer you only one "
                                  "tip for the future, sunscreen would "
                                  "be it.",
                                  bytes_of("50515253c0c1c2c3c4c5c6c7"));
  EXPECT_EQ(text.substr(0, 16), bytes_of("d31a8d34648e60db7b86afbc53ef7ec2"));
  EXPECT_EQ(text.substr(text.size() - 16), bytes_of("1ae10b594f09e26a7e902ecbd0600691"));
}

// Of each length up to 1,200 bytes, beside 0 to 39: a sum (FNV-1a) over all that OpenSSL has made of them.
TEST_P(Cipher, seals_as_openssl_does) {
  std::string secret;
  for (int i = 0; i < 32; ++i) secret += static_cast<char>(i * 7 + 1);
  const SealKey key = key_of(*method, secret);
  uint64_t sum = hash_of_nothing;
  for (size_t bytes = 0; bytes < 1200; ++bytes) {
    std::string data(bytes, ' ');
    for (size_t i = 0; i < bytes; ++i) data[i] = static_cast<char>(i * 31 + bytes);
    const std::string beside(bytes % 40, 'q');
    for (const char byte : sealed(*method, key, {0x1234567890abcdef + bytes, 5}, data, beside))
      sum = add_to_hash(sum, static_cast<unsigned char>(byte));
  }
  EXPECT_EQ(sum, method == &chacha20_poly1305 ? 0x371b30490f308f73u : 0x428c84a747489058u);
}

TEST_P(Cipher, opens_what_was_sealed) {
  const SealKey key = key_of(*method, "a secret");
  for (size_t bytes = 0; bytes < 700; ++bytes) {
    const std::string data(bytes, static_cast<char>('a' + bytes % 26));
    std::string text = sealed(*method, key, {bytes, 1}, data, "beside");
    ASSERT_TRUE(opens(*method, key, {bytes, 1}, text, "beside")) << bytes;
    ASSERT_EQ(text, data);
  }
}

TEST_P(Cipher, stays_closed_to_whoever_changes_a_bit) {
  const SealKey key = key_of(*method, "a secret");
  for (const size_t bytes : {0u, 1u, 16u, 111u, 112u, 113u, 300u}) {
    const std::string text = sealed(*method, key, {7, 1}, std::string(bytes, 'x'), "beside");
    for (size_t bit = 0; bit < 8 * text.size(); ++bit) {
      std::string changed = text;
      changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ 1 << bit % 8);
      ASSERT_FALSE(opens(*method, key, {7, 1}, changed, "beside")) << bytes << ' ' << bit;
    }
    std::string same = text;
    EXPECT_FALSE(opens(*method, key, {7, 1}, same, "Beside"));
    same = text;
    EXPECT_FALSE(opens(*method, key, {8, 1}, same, "beside"));
    same = text;
    EXPECT_FALSE(opens(*method, key, {7, 0}, same, "beside"));
    same = text;
    EXPECT_FALSE(opens(*method, key_of(*method, "b secret"), {7, 1}, same, "beside"));
  }
}

// A message of nodes whose processors differ. Its first bytes lie anywhere.
TEST_P(AesWays, open_what_another_way_sealed) {
  std::string data(2000, ' ');
  for (size_t i = 0; i < data.size(); ++i) data[i] = static_cast<char>(i * 31);
  for (const AesWay& other : aes_128_gcm_ways()) {
    if (!other.runs_on(this_processor())) continue;
    const SealKey mine = key_of(*method, "a secret"), theirs = key_of(*other.method, "a secret");
    for (size_t bytes = 0; bytes <= data.size(); ++bytes) {
      const std::string beside(bytes % 3 == 0 ? 16 : bytes % 300, 'q');
      std::string text = sealed(*other.method, theirs, {bytes, 1}, data.substr(0, bytes), beside);
      ASSERT_TRUE(opens(*method, mine, {bytes, 1}, text, beside)) << other.name << ' ' << bytes;
      ASSERT_EQ(text, data.substr(0, bytes));
    }
  }
}

TEST(DerivedKeys, differ_by_what_they_are_for) {
  const unsigned char secret[seal_key_bytes] = {1};
  const KeyPurpose purposes[] = {
      {1, {0, 0, 0}}, {2, {0, 0, 0}}, {1, {1, 0, 0}}, {1, {0, 1, 0}}, {1, {0, 0, 1}}};
  std::vector<std::string> keys;
  for (const KeyPurpose& purpose : purposes) {
    unsigned char key[seal_key_bytes];
    derive_key(secret, purpose, key);
    for (const std::string& other : keys) EXPECT_NE(std::string(key, key + sizeof key), other);
    keys.emplace_back(key, key + sizeof key);
  }
}

}  // namespace
}  // namespace atrium
