// The objects loaded into this process (the executable, its libraries) and the names they export.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

namespace atrium {

// Does an object that the dynamic linker searches before this library export a definition of
// a name that `is_wanted` accepts?
bool exported_before_us(bool (*is_wanted)(const char* name));

// A second copy of this library (libatrium.so...) that is loaded into this process, and its definition of a name; nothing
// where there is none.
struct OtherCopy {
  const char* path;
  const void* definition;
};
std::optional<OtherCopy> other_copy_with(const char* name);

// Where this library, or the executable that contains it, lies; empty when the dynamic linker does not say.
const char* path_of_this_library();

}  // namespace atrium
