// File, line and function of an origin; names of symmetric variables.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "race/shadow/slot.hpp"
#include "src/os/symbol_table.hpp"

namespace atrium::race {

struct Place {
  std::string file;  // as the debug information has it; empty: unknown
  int line = 0;
  std::string function;  // empty: unknown
  std::string module;
  uint32_t offset = 0;

  std::string text() const;        // heat.c:88 in relax
  std::string short_text() const;  // heat.c:88
  std::string file_name() const;
};

const Place& place_of(Origin origin);

// The first file of which a place was asked for that has no line; empty: all had.
std::string file_without_lines();

// The variable at an address of this process's executable.
NamedVariable variable_at(uintptr_t address);

}  // namespace atrium::race
