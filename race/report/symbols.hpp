// Names from the symbol table of an ELF file.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "race/report/places.hpp"

namespace atrium::race {

std::string function_in(const std::string& file, uint64_t address);
Variable variable_in(const std::string& file, uint64_t address);

}  // namespace atrium::race
