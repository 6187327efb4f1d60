// The engine that needs no library: connections of the kernel's TCP.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/engines.hpp"

namespace atrium {

inline constexpr char kernel_tcp[] = "kernel-tcp";  // its one provider

// Listens at an address of this host.
EngineResult open_kernel_tcp(const NetworkRequest& request, const std::string& address);

// A row of the list of engines.
Result<FoundEngine> find_kernel_tcp(const NetworkRequest& request, std::vector<ProviderFinding>& passed_over);
Result<EngineFindings> describe_kernel_tcp(const NetworkRequest& request);
int place_in_kernel_tcp(std::string_view provider);

}  // namespace atrium
