// File, line and function of an origin; names of symmetric variables.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "race/shadow/slot.hpp"
#include "symbols/place.hpp"

namespace atrium::race {

// Each is looked up once.
const SourcePlace& place_of(Origin origin);

// The file of the program that an origin lies in; empty: unknown.
std::string module_of(Origin origin);

// The first file of which a place was asked for that has no line; empty: all had.
std::string file_without_lines();

struct NamedVariable {
  std::string name;  // empty: none is known
  uint64_t offset = 0;
};
// The variable at an address of this process's executable.
NamedVariable variable_at(uintptr_t address);

}  // namespace atrium::race
