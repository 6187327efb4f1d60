// Who called a routine, where the tool was called by the OpenSHMEM library's own code for inlined calls.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "interpose/site.hpp"

namespace atrium::interpose {

// Remembers where the OpenSHMEM library and the functions behind its Fortran interfaces lie: their frames are not the program's.
void learn_library(unsigned (*number_of)(const char* path));

// The OpenSHMEM library's own code has called this routine.
bool called_by_library(const Site& site);

// The caller itself, or the innermost return address of this thread's stack that lies in neither of them
// nor in this tool; 0: none.
uintptr_t caller_outside_library(uintptr_t caller);

}  // namespace atrium::interpose
