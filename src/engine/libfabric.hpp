// The engine for networks with cards that move data by themselves: libfabric, opened at run time.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>
#include <vector>

#include "engine/engines.hpp"

namespace atrium {

// A row of the list of engines. find_libfabric() opens an endpoint of the first provider that fits and can be opened.
Result<FoundEngine> find_libfabric(const NetworkRequest& request, std::vector<ProviderFinding>& passed_over);
Result<EngineFindings> describe_libfabric(const NetworkRequest& request);
int place_in_libfabric(std::string_view provider);

}  // namespace atrium
