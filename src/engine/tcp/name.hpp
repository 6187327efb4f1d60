// The name of an engine over TCP: the address where it listens, and a random token. Only a process that knows the name can present the token.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace atrium {

struct TcpName {
  std::string address;  // as connect_to() takes it: "10.1.2.3:4711"
  uint64_t token = 0;
};

// Token, port and address: 14 bytes of IPv4, 26 of IPv6. Each node learns those of all others.
inline constexpr size_t longest_tcp_name = 26;

std::string pack(const TcpName& name);
std::optional<TcpName> unpack_tcp_name(std::string_view bytes);

}  // namespace atrium
