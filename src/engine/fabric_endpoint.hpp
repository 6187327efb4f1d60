// One endpoint of libfabric.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/engines.hpp"
#include "engine/fabric_choice.hpp"

namespace atrium {

// Opens what fits. The choice is used up.
EngineResult open_fabric_endpoint(const FabricChoice& choice, const NetworkWishes& wishes);

}  // namespace atrium
