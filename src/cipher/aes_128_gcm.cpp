// Chooses the first implementation of AES-128-GCM that this processor can run; processors of other kinds have none.
// SPDX-License-Identifier: BSD-3-Clause
#include "cipher/aes_128_gcm.hpp"

namespace atrium {

#if !defined(__x86_64__) && !defined(__aarch64__)
std::span<const AesWay> aes_128_gcm_ways() { return {}; }
#endif

const SealMethod* aes_128_gcm() {
  const Processor processor = this_processor();
  for (const AesWay& way : aes_128_gcm_ways())
    if (way.runs_on(processor)) return way.method;
  return nullptr;
}

}  // namespace atrium
