// Packs the name of an engine over TCP into few bytes.
// SPDX-License-Identifier: BSD-3-Clause
#include "engine/tcp/name.hpp"

#include <arpa/inet.h>

#include <cstring>

namespace atrium {
namespace {

constexpr size_t before_address = sizeof(uint64_t) + sizeof(uint16_t);

}  // namespace

std::string pack(const TcpName& name) {
  const size_t colon = name.address.rfind(':');
  const std::string host = name.address.substr(0, colon);
  const uint16_t port = htons(static_cast<uint16_t>(std::stoi(name.address.substr(colon + 1))));
  char bytes[longest_tcp_name];
  std::memcpy(bytes, &name.token, sizeof name.token);
  std::memcpy(bytes + sizeof name.token, &port, sizeof port);
  const bool is_4 = ::inet_pton(AF_INET, host.c_str(), bytes + before_address) == 1;
  if (!is_4) ::inet_pton(AF_INET6, host.c_str(), bytes + before_address);
  return {bytes, before_address + (is_4 ? sizeof(in_addr) : sizeof(in6_addr))};
}

std::optional<TcpName> unpack_tcp_name(std::string_view bytes) {
  const size_t of_address = bytes.size() - before_address;
  const bool is_4 = of_address == sizeof(in_addr);
  if (bytes.size() < before_address || (!is_4 && of_address != sizeof(in6_addr))) return std::nullopt;
  char text[INET6_ADDRSTRLEN];
  if (!::inet_ntop(is_4 ? AF_INET : AF_INET6, bytes.data() + before_address, text, sizeof text))
    return std::nullopt;
  TcpName name;
  uint16_t port;
  std::memcpy(&name.token, bytes.data(), sizeof name.token);
  std::memcpy(&port, bytes.data() + sizeof name.token, sizeof port);
  name.address = std::string(text) + ":" + std::to_string(ntohs(port));
  return name;
}

}  // namespace atrium
