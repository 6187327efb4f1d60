// The objects loaded into this process (the executable, its libraries) and the names they export.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace atrium {

// Does an object that the dynamic linker searches before this library export a definition of a name that
// `is_wanted` accepts?
bool exported_before_us(bool (*is_wanted)(const char* name));

}  // namespace atrium
