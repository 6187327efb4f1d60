// TCP sockets between hosts, with the keep-alive options by which the kernel notices a cut.
// SPDX-License-Identifier: BSD-3-Clause
#include "os/tcp_link.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <utility>

namespace atrium {
namespace {

struct KeepAlive {
  int idle_s, between_questions_s, questions;
};
// Found out after 5 to 6 s. A link that is away for less than 4 s loses four questions at most.
constexpr KeepAlive of_link{1, 1, 5};
constexpr KeepAlive of_connection{60, 60, 9};
constexpr int flags = SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC;

struct SocketAddress {
  sockaddr_storage storage{};
  socklen_t bytes = 0;
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&storage); }
};

std::optional<SocketAddress> read_address(const std::string& address, uint16_t port) {
  SocketAddress result;
  auto& v4 = reinterpret_cast<sockaddr_in&>(result.storage);
  auto& v6 = reinterpret_cast<sockaddr_in6&>(result.storage);
  if (::inet_pton(AF_INET, address.c_str(), &v4.sin_addr) == 1) {
    v4.sin_family = AF_INET;
    v4.sin_port = htons(port);
    result.bytes = sizeof v4;
  } else if (::inet_pton(AF_INET6, address.c_str(), &v6.sin6_addr) == 1) {
    v6.sin6_family = AF_INET6;
    v6.sin6_port = htons(port);
    result.bytes = sizeof v6;
  } else {
    return std::nullopt;
  }
  return result;
}

// "10.1.2.3:4711": the port is behind the last colon.
std::optional<SocketAddress> read_name(const std::string& name) {
  const size_t colon = name.rfind(':');
  if (colon == std::string::npos) return std::nullopt;
  const int port = std::atoi(name.c_str() + colon + 1);
  if (port <= 0 || port > 0xffff) return std::nullopt;
  return read_address(name.substr(0, colon), static_cast<uint16_t>(port));
}

uint16_t port_of(const SocketAddress& address) {
  const bool is_4 = address.storage.ss_family == AF_INET;
  return ntohs(is_4 ? reinterpret_cast<const sockaddr_in&>(address.storage).sin_port
                    : reinterpret_cast<const sockaddr_in6&>(address.storage).sin6_port);
}

bool set(int socket, int level, int option, int value) {
  return ::setsockopt(socket, level, option, &value, sizeof value) == 0;
}

// Has the kernels ask each other. Those that a listener accepts have its options. False: it cannot be had.
bool ask_now_and_then(int socket, const KeepAlive& how) {
  return set(socket, IPPROTO_TCP, TCP_KEEPIDLE, how.idle_s) &&
         set(socket, IPPROTO_TCP, TCP_KEEPINTVL, how.between_questions_s) &&
         set(socket, IPPROTO_TCP, TCP_KEEPCNT, how.questions) && set(socket, SOL_SOCKET, SO_KEEPALIVE, 1);
}

TcpSocket listen_with(const KeepAlive& how, const std::string& address, std::string& name) {
  auto here = read_address(address, 0);
  errno = EINVAL;
  if (!here) return {};
  TcpSocket listener(::socket(here->storage.ss_family, flags, 0));
  if (!listener.is_open() || !ask_now_and_then(listener.get(), how)) return {};
  const bool listens =
      ::bind(listener.get(), here->get(), here->bytes) == 0 && ::listen(listener.get(), SOMAXCONN) == 0 &&
      ::getsockname(listener.get(), reinterpret_cast<sockaddr*>(&here->storage), &here->bytes) == 0;
  if (!listens) return {};
  name = address + ":" + std::to_string(port_of(*here));
  return listener;
}

TcpSocket connect_with(const KeepAlive& how, const sockaddr& whom) {
  errno = EAFNOSUPPORT;
  if (whom.sa_family != AF_INET && whom.sa_family != AF_INET6) return {};
  const socklen_t bytes = whom.sa_family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
  TcpSocket link(::socket(whom.sa_family, flags, 0));
  if (!link.is_open() || !ask_now_and_then(link.get(), how)) return {};
  if (::connect(link.get(), &whom, bytes) == 0 || errno == EINPROGRESS) return link;
  const int error = errno;
  link = {};
  errno = error;
  return link;
}

TcpSocket connect_with(const KeepAlive& how, const std::string& name) {
  const auto there = read_name(name);
  errno = EINVAL;
  return there ? connect_with(how, *there->get()) : TcpSocket{};
}

}  // namespace

TcpSocket::~TcpSocket() {
  if (is_open()) ::close(socket_);
}

TcpSocket& TcpSocket::operator=(TcpSocket&& other) noexcept {
  TcpSocket before(std::exchange(socket_, other.release()));
  return *this;
}

int TcpSocket::release() { return std::exchange(socket_, -1); }

bool says_shortage(int error) {
  return error == EMFILE || error == ENFILE || error == ENOMEM || error == ENOBUFS || error == ENOSPC;
}

bool says_unreachable(int error) {
  return error == ETIMEDOUT || error == EHOSTUNREACH || error == EHOSTDOWN || error == ENETUNREACH ||
         error == ENETDOWN;
}

int take_error(int socket) {
  int error = 0;
  socklen_t bytes = sizeof error;
  return ::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &bytes) == 0 ? error : errno;
}

TcpSocket listen_at(const std::string& address, std::string& name) {
  return listen_with(of_connection, address, name);
}
TcpSocket listen_for_links(const std::string& address, std::string& name) {
  return listen_with(of_link, address, name);
}

TcpSocket connect_to(const std::string& name) { return connect_with(of_connection, name); }
TcpSocket connect_link(const std::string& name) { return connect_with(of_link, name); }
TcpSocket connect_link(const sockaddr& whom) { return connect_with(of_link, whom); }

TcpSocket accept_link(int listener) {
  return TcpSocket(::accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
}

}  // namespace atrium
