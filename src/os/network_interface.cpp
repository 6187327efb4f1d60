// Lists this host's network interfaces and their addresses by getifaddrs().
// SPDX-License-Identifier: BSD-3-Clause
#include "os/network_interface.hpp"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>

#include <bit>

namespace atrium {
namespace {

std::string text_of(const sockaddr& address) {
  char text[INET6_ADDRSTRLEN] = "";
  if (address.sa_family == AF_INET)
    ::inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in&>(address).sin_addr, text, sizeof text);
  else if (address.sa_family == AF_INET6)
    ::inet_ntop(AF_INET6, &reinterpret_cast<const sockaddr_in6&>(address).sin6_addr, text, sizeof text);
  return text;
}

}  // namespace

std::optional<std::string> address_of_interface(const std::string& name_or_address) {
  ifaddrs* all = nullptr;
  if (name_or_address.empty() || ::getifaddrs(&all) != 0) return std::nullopt;
  std::optional<std::string> best;
  bool best_is_4 = false;
  for (const ifaddrs* each = all; each; each = each->ifa_next) {
    if (!each->ifa_addr) continue;
    const std::string text = text_of(*each->ifa_addr);
    if (text.empty() || (name_or_address != each->ifa_name && name_or_address != text)) continue;
    const bool is_4 = each->ifa_addr->sa_family == AF_INET;
    if (best && (best_is_4 || !is_4)) continue;
    best = text;
    best_is_4 = is_4;
  }
  ::freeifaddrs(all);
  return best;
}

bool is_interface_down(const std::string& name) {
  ifaddrs* all = nullptr;
  if (name.empty() || ::getifaddrs(&all) != 0) return false;
  bool is_down = false;
  for (const ifaddrs* each = all; each; each = each->ifa_next)  // one without an address, too
    is_down |= name == each->ifa_name && (each->ifa_flags & IFF_UP) == 0;
  ::freeifaddrs(all);
  return is_down;
}

std::vector<std::string> addresses_of_networks() {
  std::vector<std::string> addresses;
  ifaddrs* all = nullptr;
  if (::getifaddrs(&all) != 0) return addresses;
  for (const ifaddrs* each = all; each; each = each->ifa_next) {
    const bool fits = each->ifa_addr && each->ifa_netmask && each->ifa_addr->sa_family == AF_INET &&
                      (each->ifa_flags & IFF_UP) != 0 && (each->ifa_flags & IFF_LOOPBACK) == 0;
    if (!fits) continue;
    const auto mask = reinterpret_cast<const sockaddr_in*>(each->ifa_netmask)->sin_addr.s_addr;
    addresses.push_back(text_of(*each->ifa_addr) + "/" + std::to_string(std::popcount(mask)));
  }
  ::freeifaddrs(all);
  return addresses;
}

std::string address_of(const std::string& network) { return network.substr(0, network.find('/')); }

}  // namespace atrium
