// Lists the ways to AES-128-GCM, and takes the first that this processor can go.
// SPDX-License-Identifier: BSD-3-Clause
#include "cipher/aes_128_gcm.hpp"

namespace atrium {
namespace {

[[maybe_unused]] bool has_aes(const Processor& processor) { return processor.aes; }
[[maybe_unused]] bool has_vaes(const Processor& processor) { return processor.vaes; }
[[maybe_unused]] bool has_vaes_512(const Processor& processor) {
  return processor.vaes && processor.avx512bw;
}

}  // namespace

std::span<const AesWay> aes_128_gcm_ways() {
#if defined(__x86_64__)
  static constexpr AesWay ways[] = {{"vaes_512", has_vaes_512, &aes_128_gcm_by_vaes_512},
                                    {"vaes", has_vaes, &aes_128_gcm_by_vaes},
                                    {"aes_ni", has_aes, &aes_128_gcm_by_aes_ni}};
  return ways;
#elif defined(__aarch64__)
  static constexpr AesWay ways[] = {{"aarch64", has_aes, &aes_128_gcm_by_aarch64}};
  return ways;
#else
  return {};  // nobody has written one for such processors
#endif
}

const SealMethod* aes_128_gcm() {
  const Processor processor = this_processor();
  for (const AesWay& way : aes_128_gcm_ways())
    if (way.runs_on(processor)) return way.method;
  return nullptr;
}

}  // namespace atrium
