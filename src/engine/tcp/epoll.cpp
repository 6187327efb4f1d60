// Watches the sockets of an engine by epoll.
// SPDX-License-Identifier: BSD-3-Clause
#include "engine/tcp/epoll.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iterator>

namespace atrium {

TcpEpoll::~TcpEpoll() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<void> TcpEpoll::open() {
  descriptor_ = ::epoll_create1(EPOLL_CLOEXEC);
  if (descriptor_ < 0) return system_error("cannot wait for other nodes", "epoll_create1");
  return {};
}

bool TcpEpoll::control(int operation, const TcpSocket& socket, uint32_t interest, uint64_t mark) {
  epoll_event event{};
  event.events = interest;
  event.data.u64 = mark;
  return ::epoll_ctl(descriptor_, operation, socket.get(), &event) == 0;
}

bool TcpEpoll::add(const TcpSocket& socket, uint32_t interest, uint64_t mark) {
  return control(EPOLL_CTL_ADD, socket, interest, mark);
}
bool TcpEpoll::change(const TcpSocket& socket, uint32_t interest, uint64_t mark) {
  return control(EPOLL_CTL_MOD, socket, interest, mark);
}
void TcpEpoll::remove(const TcpSocket& socket) { control(EPOLL_CTL_DEL, socket, 0, 0); }

std::optional<std::span<epoll_event>> TcpEpoll::poll() {
  const int count = ::epoll_wait(descriptor_, ready_, static_cast<int>(std::size(ready_)), 0);
  if (count < 0 && (errno == EBADF || errno == EINVAL)) return std::nullopt;
  return std::span{ready_, static_cast<size_t>(std::max(count, 0))};
}

}  // namespace atrium
