// The clock by which waits are measured: the same in all processes of a machine.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "atrium_machine.h"

namespace atrium {

inline uint64_t now_ns() { return static_cast<uint64_t>(atrium_now_ns()); }

}  // namespace atrium
