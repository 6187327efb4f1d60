// The implementations of AES-128-GCM, one for each kind of instructions. What one of them seals, every other opens.
// SPDX-License-Identifier: BSD-3-Clause
//
// To add one: write a machine of gcm.hpp in a file of its own, declare its method here, and add a line to the list of its
// architecture (aes_ni.cpp, aes_aarch64.cpp). The tests of the cipher and bench/seal_costs then run on it.
#pragma once

#include <span>

#include "arch/processor.hpp"
#include "cipher/cipher.hpp"

namespace atrium {

extern const SealMethod aes_128_gcm_by_aes_ni, aes_128_gcm_by_vaes, aes_128_gcm_by_vaes_512,
    aes_128_gcm_by_aarch64;

struct AesWay {
  const char* name;
  bool (*runs_on)(const Processor&);
  const SealMethod* method;
};

// All that are compiled in, the fastest first.
std::span<const AesWay> aes_128_gcm_ways();

}  // namespace atrium
