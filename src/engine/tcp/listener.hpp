// The listening socket of an engine. A connection is pending until its hello is complete and carries this engine's token.
// SPDX-License-Identifier: BSD-3-Clause
//
// Any process may connect and send anything, or nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <optional>
#include <string>

#include "engine/tcp/epoll.hpp"
#include "engine/tcp/name.hpp"
#include "engine/tcp/send_queue.hpp"

namespace atrium {

class TcpListener {
 public:
  // Where more connections than `most_pending` are pending, or another one cannot be accepted, the oldest is closed.
  TcpListener(TcpEpoll& epoll, TcpEvents& events, size_t most_pending)
      : epoll_(epoll), events_(events), most_pending_(most_pending) {}

  Result<TcpName> open(const std::string& address);

  // Whether events with this mark are for the listener.
  static bool owns(uint64_t mark) { return mark >= pending_marks; }
  struct Accepted {
    std::string name;  // the connecting peer's
    TcpSocket socket;
  };
  // Requires: owns(mark). Empty: nothing came of it yet.
  Result<std::optional<Accepted>> handle(uint64_t mark);

 private:
  static constexpr uint64_t pending_marks = uint64_t{1} << 62, listener_mark = uint64_t{1} << 63;
  struct Pending {
    TcpSocket socket;
    std::string received;
  };

  Result<void> accept_all();
  bool close_oldest();
  std::optional<Accepted> read_hello(int descriptor);

  TcpEpoll& epoll_;
  TcpEvents& events_;
  size_t most_pending_;
  TcpSocket socket_;
  TcpName name_;
  std::list<Pending> pending_;
};

}  // namespace atrium
