// The functions behind the Fortran interfaces: they lie in the program and are not it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "os/symbol_table.hpp"

namespace atrium {

// The one that an address of the program's code is in; null for the program's own code, and in stripped programs.
const Symbol* wrapper_around(uintptr_t address);

}  // namespace atrium
