// The Fortran interfaces' own functions, which lie in the program: whoever called them is who called OpenSHMEM.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace atrium::interpose {

// Looks through the program's symbols once; a stripped program has none. Requires: no other thread calls these.
void learn_wrappers();

bool is_wrapper(uintptr_t address);

}  // namespace atrium::interpose
