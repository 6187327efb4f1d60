// The inline path: what inlined code reads, and the predefined handles.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace atrium {

// Builds the predefined teams and the default context, and shows the deltas to the inline fast path, unless
// something extraordinary is going on: then the inline path finds AWAY for every PE and calls the library.
void open_inline_path();
void close_inline_path();
// As after closing, in a child of fork(): what the parent has built stays as it is.
void disown_inline_path();

}  // namespace atrium
