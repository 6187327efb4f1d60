// Derives the keys of a channel, and seals and opens its messages.
// SPDX-License-Identifier: BSD-3-Clause
#include "wire/channel_seal.hpp"

#include <cstring>

#include "wire/message.hpp"

namespace atrium {
namespace {

constexpr size_t readable = offsetof(MessageHeader, executed);

void prepare(SealKey& key, const SealMethod& method, const JobSecret& secret, const EndpointNumber& from,
             const EndpointNumber& to) {
  const KeyPurpose purpose{static_cast<uint32_t>(SecretUse::messages),
                           {from.node, to.node, uint32_t{from.endpoint} << 16 | to.endpoint}};
  unsigned char derived[seal_key_bytes];
  derive_key(secret.data(), purpose, derived);
  method.prepare(key, derived);
}

SealNumber number_of(const char* message) {
  MessageHeader header;
  std::memcpy(&header, message, sizeof header);
  return {header.number, header.flags & uint32_t{message_bare}};
}

// Without the tag.
SealedText text_of(char* message, size_t bytes) {
  return {message, readable, message + readable, bytes - readable};
}

}  // namespace

ChannelSeal::ChannelSeal(const SealMethod& method, const JobSecret& secret, const EndpointNumber& me,
                         const EndpointNumber& peer)
    : method_(&method) {
  prepare(to_peer_, method, secret, me, peer);
  prepare(from_peer_, method, secret, peer, me);
}

void ChannelSeal::seal(char* message, size_t bytes) const {
  method_->seal(to_peer_, number_of(message), text_of(message, bytes), message + bytes);
}

bool ChannelSeal::open(char* message, size_t bytes) const {
  const size_t sealed = bytes - seal_tag_bytes;
  return method_->open(from_peer_, number_of(message), text_of(message, sealed), message + sealed);
}

}  // namespace atrium
