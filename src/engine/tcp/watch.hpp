// The sockets of an engine that the kernel watches, each with a mark by which its owner knows it again.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/epoll.h>

#include <cstdint>
#include <span>

#include "core/result.hpp"
#include "os/tcp_link.hpp"

namespace atrium {

class TcpWatch {
 public:
  TcpWatch() = default;
  TcpWatch(const TcpWatch&) = delete;
  TcpWatch& operator=(const TcpWatch&) = delete;
  ~TcpWatch();

  Result<void> open();
  // For EPOLLIN, EPOLLOUT, both or neither. A socket that is closed is watched no longer. False with errno.
  bool add(const TcpSocket& socket, uint32_t interest, uint64_t mark);
  bool change(const TcpSocket& socket, uint32_t interest, uint64_t mark);
  void remove(const TcpSocket& socket);
  // Those of which something is to be seen now.
  std::span<epoll_event> look();
  // Readable while there are such.
  int descriptor() const { return descriptor_; }

 private:
  bool control(int operation, const TcpSocket& socket, uint32_t interest, uint64_t mark);

  int descriptor_ = -1;
  epoll_event ready_[32];
};

}  // namespace atrium
