// Names and sizes from the symbol table of an ELF file. Knows nothing of Atrium: tools compile it, too.
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
// All functions that the file names, and all variables: those whose size it tells.
std::vector<Symbol> functions_in(const std::string& file);
std::vector<Symbol> variables_in(const std::string& file);
// What it takes from libraries.
std::vector<std::string> imports_of(const std::string& file);
// The name of a variable as the program's text has it.
std::string name_in_source(const std::string& symbol);

struct NamedVariable {
  std::string name;  // empty: none is known
  uint64_t offset = 0, bytes = 0;
};

// What lies at an address of the file, as its code and data are numbered there; empty: unknown.
std::string function_in(const std::string& file, uint64_t address);
NamedVariable variable_in(const std::string& file, uint64_t address);

}  // namespace atrium
