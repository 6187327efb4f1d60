// Where a routine was called, and how that becomes an origin that is the same on all PEs.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "interpose/site.hpp"
#include "race/shadow/slot.hpp"

namespace atrium::race {

using interpose::name_of;
using interpose::Routine;
using interpose::Site;

// Which module an address belongs to, for the job: registers modules that are not registered yet.
Origin origin_of(const Site& site, size_t bytes);
// Requires: the caller is no function of a library or of the Fortran interfaces.
Origin origin_in_program(const Site& site, size_t bytes);

// Remembers where the library lies that has this function, so that its own frames are not taken for the program's.
void learn_library(const void* function);

}  // namespace atrium::race
