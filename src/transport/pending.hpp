// The pending word of a context: what inlined fences and quiets look at (include/shmem/types.h).
// SPDX-License-Identifier: BSD-3-Clause
//
//   bits 0 .. 62   operations of this context that are not complete
//   bit 63         every call must be seen, whatever is pending (job/inline_path.hpp says why)
//
// Zero: a fence or quiet on this context has nothing to do but to order my own loads and stores.
#pragma once

#include <cstdint>

#include "shmem/types.h"

namespace atrium {

inline constexpr uint64_t calls_must_be_seen = uint64_t{1} << 63;

inline uint64_t pending_on(const atrium_context& ctx) {
  return __atomic_load_n(&ctx.pending, __ATOMIC_ACQUIRE) & ~calls_must_be_seen;  // SYNC pending
}

}  // namespace atrium
