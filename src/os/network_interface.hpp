// This host's network interfaces.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

namespace atrium {

// The address of the interface with this name, IPv4 first; an address of this host is its own answer.
std::optional<std::string> address_of_interface(const std::string& name_or_address);

}  // namespace atrium
