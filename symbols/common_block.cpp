// Searches the subprograms of all units for the block's declaration, and in it for the variable that begins last before the address.
// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/common_block.hpp"

#include "symbols/dwarf.hpp"

namespace atrium {
namespace {

class BlockSearch {
 public:
  BlockSearch(const Libdw& dw, const std::string& symbol, uint64_t address)
      : dw_(dw), symbol_(symbol), address_(address) {}

  // Whether `outer` or what is in it declares the block.
  bool find_in(DwarfDie& outer) {
    DwarfDie child;
    for (int end = dw_.dwarf_child(&outer, &child); end == 0; end = dw_.dwarf_siblingof(&child, &child)) {
      const int tag = dw_.dwarf_tag(&child);
      if (tag == tag_common_block && is_the_block(child)) return read_variables(child);
      if ((tag == tag_subprogram || tag == tag_module) && find_in(child)) return true;
    }
    return false;
  }
  NamedVariable found() const { return {name_, address_ - begin_, written()}; }
  bool is_declared() const { return declared_; }
  std::string written() const { return "/" + block_ + "/"; }

 private:
  bool is_the_block(DwarfDie& die) {
    const char* const name = dw_.dwarf_diename(&die);
    if (!name || (symbol_ != name && symbol_ != std::string(name) + "_")) return false;
    block_ = symbol_ == "__BLNK__" ? "" : name;  // Fortran writes the block without a name as //
    return declared_ = true;
  }

  bool read_variables(DwarfDie& block) {
    DwarfDie child;
    for (int end = dw_.dwarf_child(&block, &child); end == 0; end = dw_.dwarf_siblingof(&child, &child)) {
      const uint64_t begin = dw_.dwarf_tag(&child) == tag_variable ? place_of(child) : 0;
      const char* const name = dw_.dwarf_diename(&child);
      if (!name || begin > address_ || begin <= begin_) continue;
      begin_ = begin;
      name_ = name;
    }
    return !name_.empty();
  }

  // 0: it is not at one address.
  uint64_t place_of(DwarfDie& variable) {
    DwarfAttribute attribute;
    DwarfOperation* operations = nullptr;
    size_t count = 0;
    DwarfAttribute* const found = dw_.dwarf_attr(&variable, dwarf_location, &attribute);
    if (!found || dw_.dwarf_getlocation(found, &operations, &count) != 0) return 0;
    return count == 1 && operations->code == dwarf_address ? operations->number : 0;
  }

  const Libdw& dw_;
  const std::string& symbol_;
  const uint64_t address_;
  std::string block_, name_;
  uint64_t begin_ = 0;
  bool declared_ = false;
};

}  // namespace

NamedVariable variable_in_common_block(const Libdw& dw, DwflModule* module, const std::string& symbol,
                                       uint64_t address, uint64_t offset) {
  if (!symbol.ends_with('_')) return {};
  uint64_t bias = 0;
  NamedVariable whole;
  for (DwarfDie* unit = nullptr; (unit = dw.dwfl_module_nextcu(module, unit, &bias)) != nullptr;) {
    BlockSearch search(dw, symbol, address - bias);
    if (search.find_in(*unit)) return search.found();
    if (search.is_declared()) whole = {search.written(), offset, ""};
  }
  return whole;
}

}  // namespace atrium
