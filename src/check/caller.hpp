// Who called the library: for messages about wrong arguments.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace atrium {

// "shmem_long_iput, called from ./prog+0x1189", as much of it as can be found out. `addr2line -e ./prog
// 0x1189` shows the line.
std::string describe_caller();

}  // namespace atrium
