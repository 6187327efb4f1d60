// Put: copying to a PE (specification sections 9.6.1.1, 9.6.1.2, 9.6.2.1).
// SPDX-License-Identifier: BSD-3-Clause
//
// On the node a put has been issued to memory when it returns, so the nonblocking form is the blocking one.
// Its stores are plain: fence orders them, quiet and the signals' release publish them.
#pragma once

#include <cstddef>

#include "check/check.hpp"
#include "ops/bits.hpp"
#include "ops/here.hpp"
#include "wait/park.hpp"

namespace atrium {

// `dest` is mine, symmetric; `alignment` is what checks ask of it.
void put_bytes(Context& ctx, void* dest, const void* source, size_t bytes, size_t alignment, int pe);

template <class T>
void put(Context& ctx, T* dest, const T* source, size_t nelems, int pe) {
  put_bytes(ctx, dest, source, bytes_of(nelems, sizeof(T)), alignof(T), pe);
}

template <class T>
void put_nbi(Context& ctx, T* dest, const T* source, size_t nelems, int pe) {
  put(ctx, dest, source, nelems, pe);
}

template <class T>
void p(Context& ctx, T* dest, T value, int pe) {
  const ptrdiff_t delta = delta_of(ctx, pe);
  if (checking()) require_symmetric("dest", dest, sizeof(T), alignof(T));
  T* target = there(dest, delta);
  // Whole where the processor can: a peer that polls sees the old element or the new one.
  if constexpr (sizeof(T) <= sizeof(void*))
    __atomic_store(target, &value, __ATOMIC_RELAXED);
  else
    *target = value;
  notify(delta, dest, sizeof(T));
}

}  // namespace atrium
