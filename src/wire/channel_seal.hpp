// Proves that a message comes from the job: by a key for each direction of each channel.
// SPDX-License-Identifier: BSD-3-Clause
//
// The keys are derived from the job's secret, which is distributed by the launcher only, and from the sender and the receiver. So a
// message that is sent back, or to another endpoint, is not accepted. The tag covers its number, and the receiver accepts each
// number once, so a repeated message is not accepted either, whatever connection it comes by.
// docs/design/between-nodes-security.md says which attacks this prevents.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "cipher/cipher.hpp"

namespace atrium {

using JobSecret = std::array<unsigned char, seal_key_bytes>;

// What keys are made of the job's secret.
enum class SecretUse : uint32_t { messages = 1, node_watch = 2 };

struct EndpointNumber {
  uint32_t node;
  uint16_t endpoint;
};

class ChannelSeal {
 public:
  ChannelSeal() = default;
  ChannelSeal(const SealMethod& method, const JobSecret& secret, const EndpointNumber& me,
              const EndpointNumber& peer);

  // Header and records of `bytes`, with space for a tag behind them. Its number must not have been sealed before.
  void seal(char* message, size_t bytes) const;
  // Decrypts a message that the peer has sealed; `bytes` with its tag. False: no endpoint of the job has sealed it for this one.
  bool open(char* message, size_t bytes) const;

 private:
  const SealMethod* method_ = nullptr;
  SealKey to_peer_, from_peer_;
};

}  // namespace atrium
