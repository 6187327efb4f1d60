// Another engine, as this one knows it: the connection to it, and what is under way there.
// SPDX-License-Identifier: BSD-3-Clause
//
// Two engines share one connection, which the first that has something to send makes. If both have said hello by one of their own,
// that of the engine whose name is smaller stands. So who has made one sends nothing until the other has answered its hello.
#pragma once

#include <cstdint>
#include <string>

#include "engine/tcp/inbox.hpp"
#include "engine/tcp/outbox.hpp"
#include "engine/tcp/receive_buffers.hpp"
#include "os/tcp_connections.hpp"
#include "os/tcp_link.hpp"

namespace atrium {

struct TcpPeer {
  enum class State : uint8_t {
    unmet,       // no connection yet
    unreached,   // the kernel knows no way there now
    connecting,  // the kernels have not finished
    greeting,    // my hello is sent
    awaited,     // the peer makes the connection
    open,        // frames go both ways
    broken       // nothing goes any more
  };
  struct AwaitedRead {
    char* dest;
    size_t bytes;
    void* token;
  };

  Peer number = 0;
  std::string name;
  State state = State::unmet;
  uint64_t next_try_ns = 0;  // to connect, where it is unreached
  TcpSocket socket;
  TcpConnection connection;  // its ends, while it is open
  uint32_t interest = 0;     // what the kernel watches for
  TcpOutbox outbox;
  Queue<AwaitedRead> reads;  // unanswered, in the order in which they were sent
  TcpInbox inbox;
  TcpReceiveBuffers::Room room;  // of a message that comes
};

}  // namespace atrium
