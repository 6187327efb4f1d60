// Names and sizes from the symbol table of an ELF file: .symtab, or .dynsym of a stripped file.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace atrium {

struct Symbol {
  std::string name;
  uint64_t address = 0, bytes = 0;
};

// All functions that the file names, and all variables whose size it has.
std::vector<Symbol> functions_in(const std::string& file);
std::vector<Symbol> variables_in(const std::string& file);
// What it takes from libraries.
std::vector<std::string> imports_of(const std::string& file);

// The function at an address of the file, as its code is numbered there, and as it was written; empty: unknown.
std::string function_in(const std::string& file, uint64_t address);

}  // namespace atrium
