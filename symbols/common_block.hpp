// Variables in common blocks of Fortran: the symbol table has the block alone, debugging information what lies in it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

#include "symbols/libdw.hpp"
#include "symbols/names.hpp"

namespace atrium {

// For an address of the process in the block that has this symbol ("data_"). Subprograms may give the same block different
// variables: those of the first one that declares it. Without a name: none does.
NamedVariable variable_in_common_block(const Libdw& dw, DwflModule* module, const std::string& symbol,
                                       uint64_t address);

}  // namespace atrium
