// Symbols by address: where each begins and ends in this process.
// SPDX-License-Identifier: BSD-3-Clause
//
// Only what a file's symbol table knows can be judged. A stripped program has no table, assembler code gives no sizes, and
// `strip -x` leaves the global names only: there the space between two known symbols may belong to others.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "symbols/symbol_table.hpp"

namespace atrium {

class SymbolMap {
 public:
  // `bias` is what is added to their addresses.
  SymbolMap(std::vector<Symbol> symbols, uintptr_t bias);

  // The one that holds `address`, or null; of several (aliases, parts that a compiler has merged) the one that reaches furthest.
  const Symbol* around(uintptr_t address) const;
  bool is_empty() const { return widest_.empty(); }

 private:
  std::vector<Symbol> widest_;  // each begins and ends behind the one before it
};

// The executable's global and static variables; none where its file cannot be read. Looked up at the first call.
const SymbolMap& variables_of_executable();

// The functions of a file that are behind the Fortran interfaces.
std::vector<Symbol> wrappers_in(const std::string& file);
// The function behind a Fortran interface that an address of the program's code is in: it lies in the program and is not it. Null
// for the program's own code, and in stripped programs.
const Symbol* wrapper_around(uintptr_t address);
bool has_wrappers();  // whether there are any

}  // namespace atrium
