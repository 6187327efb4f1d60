// Accepts connections, and hears who has made them.
// SPDX-License-Identifier: BSD-3-Clause
#include "engine/tcp/reception.hpp"

#include <sys/random.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "engine/tcp/meeting.hpp"

namespace atrium {

Result<TcpName> TcpReception::open(const std::string& address) {
  listener_ = listen_at(address, name_.address);
  if (!listener_.is_open()) return system_error("cannot listen for other nodes at " + address, "listen");
  if (::getrandom(&name_.token, sizeof name_.token, 0) != sizeof name_.token)
    return system_error("cannot draw a token", "getrandom");
  if (!watch_.add(listener_, EPOLLIN, of_listener))
    return system_error("cannot wait for other nodes", "epoll_ctl");
  return name_;
}

Result<std::optional<TcpReception::Arrival>> TcpReception::look_at(uint64_t mark) {
  if (mark != of_listener) return hear(static_cast<int>(mark - of_guests));
  if (auto r = accept_all(); !r) return r.error();
  return std::optional<Arrival>{};
}

bool TcpReception::send_oldest_away() {
  if (guests_.empty()) return false;
  watch_.remove(guests_.front().socket);
  guests_.pop_front();
  return true;
}

// Without a free descriptor accept() fails whether or not a connection waits; the listener is looked at only when one does.
Result<void> TcpReception::accept_all() {
  for (bool has_come = false;; has_come = true) {
    TcpSocket socket = accept_link(listener_.get());
    if (!socket.is_open() && has_come) return {};
    if (!socket.is_open() && (errno == EMFILE || errno == ENFILE) && send_oldest_away())
      socket = accept_link(listener_.get());
    if (!socket.is_open()) break;
    if (guests_.size() == most_guests_) send_oldest_away();
    if (!watch_.add(socket, EPOLLIN, of_guests + static_cast<uint64_t>(socket.get()))) break;
    guests_.push_back({std::move(socket), {}});
  }
  if (errno != EMFILE && errno != ENFILE && errno != ENOBUFS && errno != ENOMEM && errno != ENOSPC) return {};
  return system_error("another node cannot connect to this process", "accept")
      .try_this("a larger ulimit -n, or fewer files that the program has open");
}

// No more is read than belongs to a hello: what follows is the peer's, who takes the socket over.
std::optional<TcpReception::Arrival> TcpReception::hear(int descriptor) {
  const auto guest = std::find_if(guests_.begin(), guests_.end(),
                                  [&](const Guest& each) { return each.socket.get() == descriptor; });
  if (guest == guests_.end()) return std::nullopt;
  char text[sizeof(TcpFrame) + longest_tcp_name];
  HeardHello heard = hear_hello(guest->said);
  while (heard.verdict == HeardHello::Verdict::incomplete) {
    const ssize_t got = ::recv(descriptor, text, most_of_hello(guest->said), MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return std::nullopt;
    if (got <= 0) break;
    guest->said.append(text, static_cast<size_t>(got));
    heard = hear_hello(guest->said);
  }
  Arrival arrival{heard.name, std::move(guest->socket)};
  guests_.erase(guest);
  watch_.remove(arrival.socket);
  if (heard.verdict == HeardHello::Verdict::incomplete) return std::nullopt;  // gone without a word
  if (heard.verdict == HeardHello::Verdict::complete && heard.token == name_.token &&
      unpack_tcp_name(heard.name) && heard.name != pack(name_))
    return arrival;
  events_.push_back({EngineEvent::Kind::lost, nullptr, nullptr, 0});
  return std::nullopt;
}

}  // namespace atrium
