// Of objects that share memory only those are kept that reach further than all that begin before them.
// SPDX-License-Identifier: BSD-3-Clause
#include "check/static_objects.hpp"

#include <algorithm>
#include <utility>

#include "os/executable.hpp"

namespace atrium {
namespace {

uint64_t end_of(const Symbol& symbol) { return symbol.address + symbol.bytes; }

bool is_before(const Symbol& a, const Symbol& b) {
  return a.address != b.address ? a.address < b.address : a.bytes > b.bytes;
}

}  // namespace

StaticObjects::StaticObjects(std::vector<Symbol> variables, uintptr_t bias) : bias_(bias) {
  std::stable_sort(variables.begin(), variables.end(), is_before);
  for (Symbol& one : variables)
    if (widest_.empty() || end_of(one) > end_of(widest_.back())) widest_.push_back(std::move(one));
}

std::optional<StaticObject> StaticObjects::around(uintptr_t address) const {
  const uint64_t in_file = address - bias_;
  const auto behind = std::upper_bound(widest_.begin(), widest_.end(), in_file,
                                       [](uint64_t place, const Symbol& one) { return place < one.address; });
  if (behind == widest_.begin() || end_of(behind[-1]) <= in_file) return std::nullopt;
  const Symbol& found = behind[-1];
  return StaticObject{&found.name, found.address + bias_, found.bytes};
}

const StaticObjects& static_objects() {
  static const auto& all = *new StaticObjects(
      executable_file_is_ours() ? variables_in(executable_file) : std::vector<Symbol>{}, executable_bias());
  return all;
}

}  // namespace atrium
