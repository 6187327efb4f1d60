// What a spinning processor executes between two looks at memory.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "atrium_machine.h"

namespace atrium {

inline void pause() { atrium_pause(); }

}  // namespace atrium
