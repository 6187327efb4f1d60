// The handshake by which two engines agree on one connection: a hello, and the answer to it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/tcp/name.hpp"
#include "engine/tcp/peer.hpp"

namespace atrium {

// A hello as bytes: the frame, and my name as its data.
std::string hello_to(const TcpName& me, const TcpName& peer);

// The first bytes of a connection that a peer, or a stranger, has made.
struct ParsedHello {
  enum class Verdict { incomplete, complete, nonsense };
  Verdict verdict = Verdict::incomplete;
  std::string name;    // of the connecting side
  uint64_t token = 0;  // of the side that it means to reach
};
ParsedHello parse_hello(std::string_view received);
// How many bytes may be read next: what follows a hello is left to the peer's reader.
size_t missing_of_hello(std::string_view received);

// Whether a connection that this peer has made is used.
bool accepts_connection_of(const TcpPeer& peer, std::string_view mine);

// Sends a short frame whole; the socket's buffer is empty. False: an error, in errno.
bool send_short(const TcpSocket& socket, std::string_view text);
bool send_answer(const TcpSocket& socket, TcpFrameKind kind);

}  // namespace atrium
