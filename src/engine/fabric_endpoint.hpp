// Makes an engine from the libfabric provider that was chosen.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/engines.hpp"
#include "engine/fabric_choice.hpp"

namespace atrium {

// Opens an endpoint of the provider that was chosen.
EngineResult open_fabric_endpoint(const FabricChoice& choice, const NetworkRequest& request);

}  // namespace atrium
