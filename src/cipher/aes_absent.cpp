// Processors for whose instructions nobody has written AES-128-GCM.
// SPDX-License-Identifier: BSD-3-Clause
#include "cipher/cipher.hpp"

#if !defined(__x86_64__) && !defined(__aarch64__)
namespace atrium {

const SealMethod* aes_128_gcm() { return nullptr; }

}  // namespace atrium
#endif
