// Accepts connections, and reads who has made them.
// SPDX-License-Identifier: BSD-3-Clause
#include "engine/tcp/listener.hpp"

#include <sys/random.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "engine/tcp/handshake.hpp"

namespace atrium {

Result<TcpName> TcpListener::open(const std::string& address) {
  socket_ = listen_at(address, name_.address);
  if (!socket_.is_open()) return system_error("cannot listen for other nodes at " + address, "listen");
  if (::getrandom(&name_.token, sizeof name_.token, 0) != sizeof name_.token)
    return system_error("cannot draw a token", "getrandom");
  if (!epoll_.add(socket_, EPOLLIN, listener_mark))
    return system_error("cannot wait for other nodes", "epoll_ctl");
  return name_;
}

Result<std::optional<TcpListener::Accepted>> TcpListener::handle(uint64_t mark) {
  if (mark != listener_mark) return read_hello(static_cast<int>(mark - pending_marks));
  if (auto r = accept_all(); !r) return r.error();
  return std::optional<Accepted>{};
}

bool TcpListener::close_oldest() {
  if (pending_.empty()) return false;
  epoll_.remove(pending_.front().socket);
  pending_.pop_front();
  return true;
}

namespace {

// What to try where no connection at all can be accepted, empty: what usually helps. Null: one connection failed before it was.
const char* remedy_for_accept(int error) {
  if (says_shortage(error)) return "a larger ulimit -n, or fewer files that the program has open";
  if (error == EBADF || error == ENOTSOCK) return "leaving descriptors alone that the program has not opened";
  return error == EPERM || error == EACCES || error == ENOSYS ? "" : nullptr;
}

}  // namespace

// Without a free descriptor accept() fails whether or not a connection waits. This is called only when one does.
Result<void> TcpListener::accept_all() {
  for (bool has_come = false;; has_come = true) {
    TcpSocket socket = accept_link(socket_.get());
    if (!socket.is_open() && has_come) return {};
    if (!socket.is_open() && (errno == EMFILE || errno == ENFILE) && close_oldest())
      socket = accept_link(socket_.get());
    if (!socket.is_open()) break;
    if (pending_.size() == most_pending_) close_oldest();
    if (!epoll_.add(socket, EPOLLIN, pending_marks + static_cast<uint64_t>(socket.get()))) break;
    pending_.push_back({std::move(socket), {}});
  }
  const char* const remedy = remedy_for_accept(errno);
  if (!remedy) return {};
  return system_error("another node cannot connect to this process", "accept").try_this(remedy);
}

// Reads no more than the hello: what follows it is for the peer's reader.
std::optional<TcpListener::Accepted> TcpListener::read_hello(int descriptor) {
  const auto pending = std::find_if(pending_.begin(), pending_.end(),
                                    [&](const Pending& each) { return each.socket.get() == descriptor; });
  if (pending == pending_.end()) return std::nullopt;
  char text[sizeof(TcpFrame) + longest_tcp_name];
  ParsedHello hello = parse_hello(pending->received);
  while (hello.verdict == ParsedHello::Verdict::incomplete) {
    const ssize_t got = ::recv(descriptor, text, missing_of_hello(pending->received), MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return std::nullopt;
    if (got <= 0) break;
    pending->received.append(text, static_cast<size_t>(got));
    hello = parse_hello(pending->received);
  }
  Accepted accepted{hello.name, std::move(pending->socket)};
  pending_.erase(pending);
  epoll_.remove(accepted.socket);
  if (hello.verdict == ParsedHello::Verdict::incomplete)
    return std::nullopt;  // closed before its hello was complete
  if (hello.verdict == ParsedHello::Verdict::complete && hello.token == name_.token &&
      unpack_tcp_name(hello.name) && hello.name != pack(name_))
    return accepted;
  events_.push_back({EngineEvent::Kind::lost, nullptr, nullptr, 0});
  return std::nullopt;
}

}  // namespace atrium
