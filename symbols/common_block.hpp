// Variables in common blocks of Fortran: the symbol table has the block alone, debugging information what lies in it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

#include "symbols/libdw.hpp"
#include "symbols/names.hpp"

namespace atrium {

// For an address of the process in the block that has this symbol ("data_"). Subprograms may give the same block different
// variables: those of the first one that declares it and says where they are; if none says so, as gcc does not when it optimises, the
// block with `offset`, how far into it the address lies. Without a name: none declares it.
NamedVariable variable_in_common_block(const Libdw& dw, DwflModule* module, const std::string& symbol,
                                       uint64_t address, uint64_t offset);

}  // namespace atrium
