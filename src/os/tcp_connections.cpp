// Looks through the descriptors of this process for sockets that are TCP connections.
// SPDX-License-Identifier: BSD-3-Clause
#include "os/tcp_connections.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <numeric>

#include "atrium_system.hpp"

namespace atrium {
namespace {

std::optional<TcpEnd> end_of(const sockaddr_storage& address) {
  TcpEnd end{};
  if (address.ss_family == AF_INET) {
    const auto& four = reinterpret_cast<const sockaddr_in&>(address);
    end[10] = end[11] = 0xff;
    std::memcpy(&end[12], &four.sin_addr, 4);
    std::memcpy(&end[16], &four.sin_port, 2);
    return end;
  }
  if (address.ss_family != AF_INET6) return std::nullopt;
  const auto& six = reinterpret_cast<const sockaddr_in6&>(address);
  std::memcpy(end.data(), &six.sin6_addr, 16);
  std::memcpy(&end[16], &six.sin6_port, 2);
  return end;
}

template <class Ask>
std::optional<TcpEnd> end_by(Ask ask, int descriptor) {
  sockaddr_storage address{};
  socklen_t bytes = sizeof address;
  if (ask(descriptor, reinterpret_cast<sockaddr*>(&address), &bytes) != 0) return std::nullopt;
  return end_of(address);
}

uint64_t inode_of(int descriptor) {
  struct stat file {};
  return ::fstat(descriptor, &file) == 0 && S_ISSOCK(file.st_mode) ? file.st_ino : 0;
}

bool is_established(int descriptor) {
  tcp_info info{};
  socklen_t bytes = offsetof(tcp_info, tcpi_ca_state);  // the state alone
  return ::getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &bytes) == 0 &&
         info.tcpi_state == TCP_ESTABLISHED;
}

// Where /proc is not there, all that may be: limits may be millions, and of so many a process uses the first ones.
std::vector<int> possible_descriptors() {
  constexpr int most = 65536;
  std::vector<int> open = numbers_in("/proc/self/fd");
  if (!open.empty()) return open;
  open.resize(static_cast<size_t>(std::min(::getdtablesize(), most)));
  std::iota(open.begin(), open.end(), 0);
  return open;
}

}  // namespace

std::optional<TcpConnection> tcp_connection(int descriptor) {
  TcpConnection connection;
  connection.descriptor = descriptor;
  connection.inode = inode_of(descriptor);
  if (connection.inode == 0 || !is_established(descriptor)) return std::nullopt;
  const auto mine = end_by(::getsockname, descriptor), theirs = end_by(::getpeername, descriptor);
  if (!mine || !theirs) return std::nullopt;
  connection.mine = *mine;
  connection.theirs = *theirs;
  return connection;
}

bool TcpConnection::stands() const { return inode_of(descriptor) == inode && is_established(descriptor); }

std::vector<TcpConnection> tcp_connections() {
  std::vector<TcpConnection> connections;
  for (const int descriptor : possible_descriptors())
    if (const auto connection = tcp_connection(descriptor)) connections.push_back(*connection);
  return connections;
}

}  // namespace atrium
