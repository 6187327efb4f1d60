// Names from the symbol table of an ELF file.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace atrium::interpose {

struct Symbol {
  std::string name;
  uint64_t address = 0, bytes = 0;
};
// All functions that the file names.
std::vector<Symbol> functions_in(const std::string& file);

struct Variable {
  std::string name;  // empty: none is known
  uint64_t offset = 0, bytes = 0;
};

// What lies at an address of the file, as its code and data are numbered there; empty: unknown.
std::string function_in(const std::string& file, uint64_t address);
Variable variable_in(const std::string& file, uint64_t address);

}  // namespace atrium::interpose
