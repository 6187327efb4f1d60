// Another engine, as this one sees it: the connection, and the operations under way on it.
// SPDX-License-Identifier: BSD-3-Clause
//
// Two engines share one connection. The first that has something to send makes it. If both make one, that of the engine with the smaller
// name is used. So the connecting side sends nothing but its hello until that is answered.
#pragma once

#include <cstdint>
#include <string>

#include "engine/tcp/frame_reader.hpp"
#include "engine/tcp/receive_buffers.hpp"
#include "engine/tcp/send_queue.hpp"
#include "os/tcp_connections.hpp"
#include "os/tcp_link.hpp"

namespace atrium {

struct TcpPeer {
  enum class State : uint8_t {
    unconnected,  // no connection yet
    unreachable,  // the kernel has no route there now: tried again later
    connecting,   // the kernel has not finished
    hello_sent,   // my hello is not answered yet
    yielded,      // the peer's connection is used, and has not come yet
    open,         // frames go both ways
    failed        // for good
  };
  struct PendingRead {
    char* dest;
    size_t bytes;
    void* token;
  };

  Peer number = 0;
  std::string name;
  State state = State::unconnected;
  uint64_t next_try_ns = 0;  // to connect, while unreachable
  TcpSocket socket;
  TcpConnection connection;  // its ends, while it is open
  uint32_t interest = 0;     // the events that epoll reports
  TcpSendQueue sends;
  Queue<PendingRead> reads;  // unanswered, in the order in which they were sent
  TcpFrameReader reader;
  TcpReceiveBuffers::Reservation reservation;  // of the message that is coming
};

}  // namespace atrium
