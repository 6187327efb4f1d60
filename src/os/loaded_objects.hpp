// The objects loaded into this process (the executable, its libraries) and the names they export.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace atrium {

// Is the code of this library part of the executable, and not an object of its own?
bool linked_into_executable();

// Does an object other than this library export a definition whose name begins with `prefix`?
bool exported_elsewhere(const char* prefix);

}  // namespace atrium
