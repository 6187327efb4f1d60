// AES-128-GCM by the instructions of nearly all x86-64: AES-NI and PCLMULQDQ, on registers of one block. And the list of all
// implementations for x86-64.
// SPDX-License-Identifier: BSD-3-Clause
#include "cipher/aes_128_gcm.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

#include <algorithm>
#include <cstring>

#include "arch/instructions.hpp"

namespace atrium {

std::span<const AesWay> aes_128_gcm_ways() {
  static constexpr AesWay ways[] = {
      {"vaes_512", [](const Processor& has) { return has.vaes && has.avx512bw; }, &aes_128_gcm_by_vaes_512},
      {"vaes", [](const Processor& has) { return has.vaes; }, &aes_128_gcm_by_vaes},
      {"aes_ni", [](const Processor& has) { return has.aes; }, &aes_128_gcm_by_aes_ni}};
  return ways;
}

}  // namespace atrium

ATRIUM_BEGIN_INSTRUCTIONS("aes,pclmul,ssse3")

#include "cipher/aes_ni.hpp"
#include "cipher/gcm.hpp"

namespace atrium {

const SealMethod aes_128_gcm_by_aes_ni{"AES-128-GCM", Gcm<AesNi>::prepare, Gcm<AesNi>::seal,
                                       Gcm<AesNi>::open};

}  // namespace atrium

ATRIUM_END_INSTRUCTIONS
#endif
