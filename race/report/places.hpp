// File, line and function of an origin; names of symmetric variables.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "race/shadow/slot.hpp"
#include "symbols/names.hpp"
#include "symbols/place.hpp"

namespace atrium::race {

// Each is looked up once.
const SourcePlace& place_of(Origin origin);

// How the program calls the routine there: as in C, or in Fortran.
std::string routine_at(Origin origin);

// The file of the program that an origin lies in; empty: unknown.
std::string module_of(Origin origin);

// The first file of which a place was asked for that has no line; empty: all had.
std::string file_without_lines();

// The variable at an address of this process's executable. Each is looked up once.
const NamedVariable& variable_at(uintptr_t address);

}  // namespace atrium::race
