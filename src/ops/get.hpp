// Get: copying from a PE (specification sections 9.6.1.5, 9.6.1.6, 9.6.2.2).
// SPDX-License-Identifier: BSD-3-Clause
//
// A get is complete when it returns, so it acquires: nothing that is read afterwards is older (AArch64 would
// otherwise reorder two gets). The nonblocking form is the blocking one: on the node nothing is gained by
// waiting for the bytes later.
#pragma once

#include <cstddef>

#include "check/check.hpp"
#include "ops/bits.hpp"
#include "ops/here.hpp"
#include "wait/wait.hpp"

namespace atrium {

// `source` is mine, symmetric; `alignment` is what checks ask of it.
void get_bytes(Context& ctx, void* dest, const void* source, size_t bytes, size_t alignment, int pe);

template <class T>
void get(Context& ctx, T* dest, const T* source, size_t nelems, int pe) {
  get_bytes(ctx, dest, source, bytes_of(nelems, sizeof(T)), alignof(T), pe);
}

template <class T>
void get_nbi(Context& ctx, T* dest, const T* source, size_t nelems, int pe) {
  get(ctx, dest, source, nelems, pe);
}

template <class T>
T g(Context& ctx, const T* source, int pe) {
  const ptrdiff_t delta = delta_of(ctx, pe);
  if (checking()) require_symmetric("source", source, sizeof(T), alignof(T));
  T* target = there(const_cast<T*>(source), delta);
  looked();
  if constexpr (sizeof(T) <= sizeof(void*)) {
    T value;
    __atomic_load(target, &value, __ATOMIC_ACQUIRE);  // SYNC value
    return value;
  } else {
    const T value = *target;
    acquire_fence();  // SYNC value
    return value;
  }
}

}  // namespace atrium
