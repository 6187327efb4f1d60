// Finds a network that all hosts share, by their IPv4 addresses and the lengths of the prefixes.
// SPDX-License-Identifier: BSD-3-Clause
#include "topology/networks.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>

namespace atrium {
namespace {

struct Subnet {
  std::string address;
  uint32_t prefix, mask;
};

std::optional<Subnet> read_network(const std::string& text) {
  const size_t slash = text.find('/');
  if (slash == std::string::npos) return std::nullopt;
  Subnet network{text.substr(0, slash), 0, 0};
  in_addr address{};
  const int bits = std::atoi(text.c_str() + slash + 1);
  if (inet_pton(AF_INET, network.address.c_str(), &address) != 1 || bits < 1 || bits > 32)
    return std::nullopt;
  network.mask = ~uint32_t{0} << (32 - bits);
  network.prefix = ntohl(address.s_addr) & network.mask;
  return network;
}

// This host's address in that network, other than those in `taken`.
std::optional<std::string> address_in(const Subnet& network, const std::vector<std::string>& of_host,
                                      const std::vector<std::string>& taken) {
  for (const std::string& text : of_host) {
    const auto own = read_network(text);
    if (own && own->prefix == network.prefix && own->mask == network.mask &&
        std::find(taken.begin(), taken.end(), own->address) == taken.end())
      return own->address;
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::string> addresses_in_common(const std::vector<std::vector<std::string>>& networks) {
  if (networks.empty()) return {};
  for (const std::string& text : networks[0]) {
    const auto network = read_network(text);
    std::vector<std::string> found;
    for (size_t host = 0; network && host < networks.size(); ++host)
      if (const auto address = address_in(*network, networks[host], found)) found.push_back(*address);
    if (found.size() == networks.size()) return found;
  }
  return {};
}

void put_first(std::vector<std::string>& networks, const std::string& address) {
  std::stable_partition(networks.begin(), networks.end(),
                        [&](const std::string& network) { return network.starts_with(address + "/"); });
}

}  // namespace atrium
