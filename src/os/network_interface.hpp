// The addresses of this host's network interfaces.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace atrium {

// The address of the interface with this name, IPv4 first; an address of this host is its own answer.
std::optional<std::string> address_of_interface(const std::string& name_or_address);

// There is an interface with this name, and it carries nothing (as the loopback interface of a new network namespace).
bool is_interface_down(const std::string& name);

// Of the interface that has this address; empty: none has.
std::string interface_of(const std::string& address);

// By which others may reach this host, IPv4 first: of interfaces that are up and no loopback. No addresses of one link alone.
std::vector<std::string> addresses_beyond_this_host();
// "10.1.2.3/16" of each interface that is up and is no loopback; IPv4 only.
std::vector<std::string> addresses_of_networks();
// Of these, the address alone: "10.1.2.3".
std::string address_of(const std::string& network);

}  // namespace atrium
