// The TCP connections of this process, whatever part of it has made them.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace atrium {

// An address and a port; of IPv4 as IPv6 writes it.
using TcpEnd = std::array<unsigned char, 18>;

struct TcpConnection {
  TcpEnd mine{}, theirs{};
  int descriptor = -1;
  uint64_t inode = 0;  // of the socket: a descriptor that is closed may come again as another's

  // One system call or two.
  bool stands() const;
};

// What this descriptor is, if it is a connection that stands.
std::optional<TcpConnection> tcp_connection(int descriptor);
// Those that stand now. Looks at every descriptor.
std::vector<TcpConnection> tcp_connections();

}  // namespace atrium
