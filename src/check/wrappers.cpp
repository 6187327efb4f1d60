// By their names; looked up once.
// SPDX-License-Identifier: BSD-3-Clause
#include "check/wrappers.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "os/executable.hpp"
#include "os/fortran_names.hpp"

namespace atrium {
namespace {

// By their addresses in memory.
std::vector<Symbol> find_wrappers() {
  std::vector<Symbol> found;
  if (!executable_file_is_ours()) return found;
  const uintptr_t bias = executable_bias();
  for (Symbol& one : functions_in(executable_file))
    if (is_name_of_wrapper(one.name)) found.push_back({std::move(one.name), one.address + bias, one.bytes});
  std::sort(found.begin(), found.end(),
            [](const Symbol& a, const Symbol& b) { return a.address < b.address; });
  return found;
}

}  // namespace

const Symbol* wrapper_around(uintptr_t address) {
  static const auto& all = *new std::vector<Symbol>(find_wrappers());
  const auto behind =
      std::upper_bound(all.begin(), all.end(), address,
                       [](uintptr_t place, const Symbol& one) { return place < one.address; });
  return behind != all.begin() && address - behind[-1].address < behind[-1].bytes ? &behind[-1] : nullptr;
}

}  // namespace atrium
