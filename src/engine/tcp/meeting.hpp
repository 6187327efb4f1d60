// How the engines of two processes come to one connection: hello, and the answer to it.
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

// The first frame and the name that follows it.
std::string hello_of(const TcpName& me, const TcpName& whom);

// A hello, as far as it has come.
struct HeardHello {
  enum class Verdict { incomplete, complete, nonsense };
  Verdict verdict = Verdict::incomplete;
  std::string name;    // of who says it
  uint64_t token = 0;  // of whom he wants
};
HeardHello hear_hello(std::string_view said);
// More is never read of a guest before he is answered.
size_t most_of_hello(std::string_view said);

// Whether the connection that a peer of this name has made is taken.
bool takes_connection_of(const TcpPeer& peer, std::string_view mine);

// All of a short frame, into a connection that has carried nothing yet. False: it is broken.
bool say(const TcpSocket& socket, std::string_view text);
bool answer(const TcpSocket& socket, TcpFrameKind kind);

}  // namespace atrium
