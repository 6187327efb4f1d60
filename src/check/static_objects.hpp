// The executable's global and static variables, as its symbol table tells them: where each begins and ends.
// SPDX-License-Identifier: BSD-3-Clause
//
// Only what the table knows can be judged. A stripped program has no table, assembler code gives no sizes, and `strip -x`
// leaves the global names only: there the space between two known objects may be anybody's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "os/symbol_table.hpp"

namespace atrium {

struct StaticObject {
  const std::string* symbol = nullptr;  // name_in_source() of it is what the program has
  uintptr_t begin = 0;
  size_t bytes = 0;
};

class StaticObjects {
 public:
  // `bias` is what is added to their addresses.
  StaticObjects(std::vector<Symbol> variables, uintptr_t bias);

  // The object that holds `address`; of several (aliases, parts that a compiler has merged) the one that reaches furthest.
  std::optional<StaticObject> around(uintptr_t address) const;

 private:
  std::vector<Symbol> widest_;  // each begins and ends behind the one before it
  uintptr_t bias_;
};

// Those of this process; none where its file cannot be read. Looked up at the first call.
const StaticObjects& static_objects();

}  // namespace atrium
