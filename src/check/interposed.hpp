// Finds out whether the program sees the library's own shmem_ routines or those of a profiling tool.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace atrium {

// True when some inlined shmem_ routine that the program resolves to is not ours: a preloaded tool, or one linked
// into the executable. Inlined code would bypass it, so every delta must then be AWAY and the inline path closed.
bool interposed();

}  // namespace atrium
