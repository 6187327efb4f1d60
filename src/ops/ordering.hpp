// Fence and quiet (specification section 9.12).
// SPDX-License-Identifier: BSD-3-Clause
//
// Every store of this PE is in program order when it was issued; what is left is to keep that order (fence),
// and to have them visible to all before going on (quiet). Non-temporal stores are already ordered when
// copy() returns.
//
//   fence    earlier stores before later stores. x86: nothing to do. AArch64: dmb ish.
//   quiet    earlier loads and stores before later loads and stores: a full fence. "Visible to all PEs": on
//            multi-copy-atomic processors, which both are, a store that left for one peer is visible to all.
#pragma once

#include <cstddef>

#include "arch/fence.hpp"
#include "context/context.hpp"

namespace atrium {

inline void fence(Context&) { release_fence(); }
inline void quiet(Context&) { full_fence(); }

// A full quiet conforms; no PEs, nothing to do, and the list may then be null.
inline void pe_quiet(Context& ctx, const int*, size_t npes) {
  if (npes != 0) quiet(ctx);
}

}  // namespace atrium
