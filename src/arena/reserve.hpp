// Takes the address space where the arenas will be mapped.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "arena/place.hpp"
#include "core/result.hpp"

namespace atrium {

// A placement whose ranges belong to this process from now on, inaccessible until they are mapped over.
Result<Placement> reserve_place(const PlacementNeeds& needs);

}  // namespace atrium
