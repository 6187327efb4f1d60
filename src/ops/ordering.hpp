// Fence and quiet (specification section 9.12).
// SPDX-License-Identifier: BSD-3-Clause
//
// Every store of this PE is in program order when it was issued; what is left is to keep that order (fence), and to
// have them visible to all before going on (quiet). Non-temporal stores are already ordered when copy() returns.
//
//   fence    earlier stores before later stores. x86: nothing to do. AArch64: dmb ish.
//   quiet    earlier loads and stores before later loads and stores: a full fence. "Visible to all PEs": on
//            multi-copy-atomic processors, which both are, a store that left for one peer is visible to all.
//
// What a context has under way between nodes (its pending word) is the transport's to order and to complete.
#pragma once

#include <cstddef>

#include "arch/fence.hpp"
#include "check/check.hpp"
#include "context/context.hpp"
#include "transport/pending.hpp"

namespace atrium {

namespace detail {
void fence_away(Context& ctx);
void quiet_away(Context& ctx);
void quiet_away(Context& ctx, const int* pes, size_t npes);
void require_pes(const Context& ctx, const int* pes, size_t npes);
}  // namespace detail

inline void fence(Context& ctx) {
  release_fence();
  if (pending_on(ctx) != 0) detail::fence_away(ctx);
}

// For who goes on by a release, which orders what was stored on the node.
inline void quiet_between_nodes(Context& ctx) {
  if (pending_on(ctx) != 0) detail::quiet_away(ctx);
}

inline void quiet(Context& ctx) {
  quiet_between_nodes(ctx);
  full_fence();
}

// No PEs, nothing to do, and the list may then be null.
inline void pe_quiet(Context& ctx, const int* pes, size_t npes) {
  if (npes == 0) return;
  if (checking()) detail::require_pes(ctx, pes, npes);
  if (pending_on(ctx) != 0) detail::quiet_away(ctx, pes, npes);
  full_fence();
}

}  // namespace atrium
