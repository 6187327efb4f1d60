// The epoll instance of an engine. Each socket has a mark that its events carry.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/epoll.h>

#include <cstdint>
#include <optional>
#include <span>

#include "core/result.hpp"
#include "os/tcp_link.hpp"

namespace atrium {

class TcpEpoll {
 public:
  TcpEpoll() = default;
  TcpEpoll(const TcpEpoll&) = delete;
  TcpEpoll& operator=(const TcpEpoll&) = delete;
  ~TcpEpoll();

  Result<void> open();
  // `interest`: EPOLLIN, EPOLLOUT, both or neither. Closing a socket removes it. False: an error, in errno.
  bool add(const TcpSocket& socket, uint32_t interest, uint64_t mark);
  bool change(const TcpSocket& socket, uint32_t interest, uint64_t mark);
  void remove(const TcpSocket& socket);
  // Events that are ready now; does not wait. Nothing where the program has closed the descriptor.
  std::optional<std::span<epoll_event>> poll();
  // Readable while an event is ready.
  int descriptor() const { return descriptor_; }

 private:
  bool control(int operation, const TcpSocket& socket, uint32_t interest, uint64_t mark);

  int descriptor_ = -1;
  epoll_event ready_[32];
};

}  // namespace atrium
