// From a PE's number and my address of a symmetric object to where I see that PE's copy.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "check/check.hpp"
#include "context/context.hpp"

namespace atrium {

// What to add to my address to reach the copy of PE `pe` of the context's team. Whatever it returns can be
// used: a context without a team and a PE that does not exist end the job with a message.
inline ptrdiff_t delta_of(const Context& ctx, int pe) {
  if (__builtin_expect(!ctx.team, 0)) refuse_context();
  if (__builtin_expect(static_cast<unsigned>(pe) >= static_cast<unsigned>(ctx.team->size), 0))
    refuse_pe(pe, ctx.team->size);
  return ctx.delta[pe];
}

// In integers: the peer's copy is no part of the object that `mine` points to, and the compiler must not
// assume so.
template <class T>
T* there(T* mine, ptrdiff_t delta) {
  return reinterpret_cast<T*>(reinterpret_cast<uintptr_t>(mine) + static_cast<uintptr_t>(delta));
}

}  // namespace atrium
