// What makes a message one of the job's: a key for each direction of each channel.
// SPDX-License-Identifier: BSD-3-Clause
//
// The keys come from the job's secret, which travels through the launcher only, and from who sends to whom: a message that is
// sent back, or to somebody else, opens nothing. Its number is under the code, and the receiver takes each number once, so
// neither does one that is repeated, whatever connection it comes by. docs/design/between-nodes-security.md says against whom.
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

  // Header and records of `bytes`, with room for a tag behind them. Its number must not have been sealed before.
  void seal(char* message, size_t bytes) const;
  // A message that the peer has sealed becomes readable; `bytes` with its tag. False: nobody of the job has sealed it for me.
  bool open(char* message, size_t bytes) const;

 private:
  const SealMethod* method_ = nullptr;
  SealKey to_peer_, from_peer_;
};

}  // namespace atrium
