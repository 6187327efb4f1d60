// Where symbols overlap, keeps those that end after all symbols that begin before them.
// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/symbol_map.hpp"

#include <algorithm>
#include <utility>

#include "symbols/fortran_names.hpp"
#include "symbols/this_program.hpp"

namespace atrium {
namespace {

uint64_t end_of(const Symbol& symbol) { return symbol.address + symbol.bytes; }

bool is_before(const Symbol& a, const Symbol& b) {
  return a.address != b.address ? a.address < b.address : a.bytes > b.bytes;
}

// Threads may go on while the process ends: it is never destroyed.
const SymbolMap& map_of_executable(std::vector<Symbol> (*symbols_in)(const std::string& file)) {
  return *new SymbolMap(executable_file_is_ours() ? symbols_in(executable_file) : std::vector<Symbol>{},
                        executable_bias());
}

}  // namespace

std::vector<Symbol> wrappers_in(const std::string& file) {
  std::vector<Symbol> functions = functions_in(file);
  std::erase_if(functions, [](const Symbol& one) { return !is_name_of_wrapper(one.name); });
  return functions;
}

SymbolMap::SymbolMap(std::vector<Symbol> symbols, uintptr_t bias) {
  std::stable_sort(symbols.begin(), symbols.end(), is_before);
  for (Symbol& one : symbols) {
    one.address += bias;
    if (widest_.empty() || end_of(one) > end_of(widest_.back())) widest_.push_back(std::move(one));
  }
}

const Symbol* SymbolMap::around(uintptr_t address) const {
  if (widest_.empty() || address >= end_of(widest_.back())) return nullptr;
  const auto behind = std::upper_bound(widest_.begin(), widest_.end(), address,
                                       [](uint64_t place, const Symbol& one) { return place < one.address; });
  return behind != widest_.begin() && address < end_of(behind[-1]) ? &behind[-1] : nullptr;
}

const SymbolMap& variables_of_executable() {
  static const SymbolMap& all = map_of_executable(variables_in);
  return all;
}

static const SymbolMap& wrappers_of_executable() {
  static const SymbolMap& all = map_of_executable(wrappers_in);
  return all;
}

const Symbol* wrapper_around(uintptr_t address) { return wrappers_of_executable().around(address); }
bool has_wrappers() { return !wrappers_of_executable().is_empty(); }

}  // namespace atrium
