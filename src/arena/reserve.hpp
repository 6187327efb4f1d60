// Takes the address space where the arenas will be mapped.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "arena/addresses.hpp"
#include "core/result.hpp"

namespace atrium {

// A placement whose ranges belong to this process from now on, inaccessible until they are mapped over.
Result<ArenaAddresses> reserve_addresses(const AddressNeeds& needs);

}  // namespace atrium
