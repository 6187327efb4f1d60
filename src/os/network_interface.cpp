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

// Each address of each interface; one without an address, too.
template <class Visit>
void visit_interfaces(Visit visit) {
  ifaddrs* all = nullptr;
  if (::getifaddrs(&all) != 0) return;
  for (const ifaddrs* each = all; each; each = each->ifa_next) visit(*each);
  ::freeifaddrs(all);
}

bool is_4(const ifaddrs& interface) { return interface.ifa_addr && interface.ifa_addr->sa_family == AF_INET; }
bool is_6_of_any_link(const ifaddrs& interface) {
  return interface.ifa_addr && interface.ifa_addr->sa_family == AF_INET6 &&
         !IN6_IS_ADDR_LINKLOCAL(&reinterpret_cast<const sockaddr_in6*>(interface.ifa_addr)->sin6_addr);
}
bool leads_out(const ifaddrs& interface) {
  return (interface.ifa_flags & IFF_UP) != 0 && (interface.ifa_flags & IFF_LOOPBACK) == 0;
}

}  // namespace

std::optional<std::string> address_of_interface(const std::string& name_or_address) {
  std::optional<std::string> best;
  bool best_is_4 = false;
  if (name_or_address.empty()) return best;
  visit_interfaces([&](const ifaddrs& each) {
    if (!each.ifa_addr) return;
    const std::string text = text_of(*each.ifa_addr);
    if (text.empty() || (name_or_address != each.ifa_name && name_or_address != text)) return;
    if (best && (best_is_4 || !is_4(each))) return;
    best = text;
    best_is_4 = is_4(each);
  });
  return best;
}

std::string interface_of(const std::string& address) {
  std::string name;
  visit_interfaces([&](const ifaddrs& each) {
    if (each.ifa_addr && text_of(*each.ifa_addr) == address) name = each.ifa_name;
  });
  return name;
}

bool is_interface_down(const std::string& name) {
  bool is_down = false;
  if (name.empty()) return false;
  visit_interfaces(
      [&](const ifaddrs& each) { is_down |= name == each.ifa_name && (each.ifa_flags & IFF_UP) == 0; });
  return is_down;
}

std::vector<std::string> addresses_beyond_this_host() {
  std::vector<std::string> addresses, of_6;
  visit_interfaces([&](const ifaddrs& each) {
    if (leads_out(each) && is_4(each)) addresses.push_back(text_of(*each.ifa_addr));
    if (leads_out(each) && is_6_of_any_link(each)) of_6.push_back(text_of(*each.ifa_addr));
  });
  addresses.insert(addresses.end(), of_6.begin(), of_6.end());
  return addresses;
}

std::vector<std::string> addresses_of_networks() {
  std::vector<std::string> addresses;
  visit_interfaces([&](const ifaddrs& each) {
    if (!leads_out(each) || !is_4(each) || !each.ifa_netmask) return;
    const auto mask = reinterpret_cast<const sockaddr_in*>(each.ifa_netmask)->sin_addr.s_addr;
    addresses.push_back(text_of(*each.ifa_addr) + "/" + std::to_string(std::popcount(mask)));
  });
  return addresses;
}

std::string address_of(const std::string& network) { return network.substr(0, network.find('/')); }

}  // namespace atrium
