// Where the OpenSHMEM library lies, so that its own frames are not taken for the program's.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace atrium::race {

void learn_library();

// The innermost return address of this thread's stack that lies in neither this tool nor [begin, end); 0: none.
uintptr_t caller_outside(uintptr_t begin, uintptr_t end);

}  // namespace atrium::race
