// Sealing bytes: without the key nobody can read them, or change them unnoticed.
// SPDX-License-Identifier: BSD-3-Clause
//
// Words.      *Sealing*: encryption with a code over the result, its *tag*, and over bytes that stay readable beside it
//             (authenticated encryption with associated data). *Number*: never used twice with one key.
// Methods.    AES-128-GCM (NIST SP 800-38D) where the processor has instructions for it, which is nearly everywhere, and
//             ChaCha20-Poly1305 (RFC 8439), which needs none. Both take the same time whatever key and data are. Who seals and
//             who opens must use the same one. docs/design/between-nodes-security.md has what others cost.
// Thread safety: a key that nobody prepares may be used by any number of threads.
#pragma once

#include <cstddef>
#include <cstdint>

namespace atrium {

inline constexpr size_t seal_key_bytes = 32;
inline constexpr size_t seal_tag_bytes = 16;

struct SealKey {
  alignas(64) unsigned char state[432];  // a method's own: round keys, powers, ...
};

struct SealNumber {
  uint64_t number = 0;
  uint32_t series = 0;  // numbers of another series are others
};

// Bytes in place: `data` is what is secret, `beside` what is only protected.
struct SealedText {
  const void* beside;
  size_t beside_bytes;
  char* data;
  size_t bytes;
};

struct SealMethod {
  const char* name;
  void (*prepare)(SealKey& key, const unsigned char* secret);  // of seal_key_bytes
  void (*seal)(const SealKey& key, const SealNumber& number, const SealedText& text, char* tag);
  // False: not what was sealed so; `data` is then of no use.
  bool (*open)(const SealKey& key, const SealNumber& number, const SealedText& text, const char* tag);
};

extern const SealMethod chacha20_poly1305;
// Null where this processor has no instructions for it.
const SealMethod* aes_128_gcm();

// A key out of another, by what it is for: who knows some learns nothing of others, nor of `secret`. All are seal_key_bytes
// long. (One block of ChaCha20, as RFC 8439 makes its one-time keys.)
struct KeyPurpose {
  uint32_t use;
  uint32_t parts[3];
};
void derive_key(const unsigned char* secret, const KeyPurpose& purpose, unsigned char* key);

}  // namespace atrium
