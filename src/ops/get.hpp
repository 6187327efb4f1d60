// Get: copying from a PE (specification sections 9.6.1.5, 9.6.1.6, 9.6.2.2).
// SPDX-License-Identifier: BSD-3-Clause
//
// On the node nothing is gained by waiting for the bytes later, so there the nonblocking form is the blocking one.
#pragma once

#include <cstddef>

#include "ops/bits.hpp"
#include "ops/target.hpp"
#include "transport/here.hpp"

namespace atrium {

// `source` is mine, symmetric; `alignment` is what checks ask of it. (Six arguments fit into registers, so a seventh is
// one of the template.)
template <Completion how>
void get_bytes(Context& ctx, void* dest, const void* source, size_t bytes, size_t alignment, int pe);

template <class T>
void get(Context& ctx, T* dest, const T* source, size_t nelems, int pe) {
  get_bytes<Completion::blocking>(ctx, dest, source, bytes_of(nelems, sizeof(T)), alignof(T), pe);
}

template <class T>
void get_nbi(Context& ctx, T* dest, const T* source, size_t nelems, int pe) {
  get_bytes<Completion::nonblocking>(ctx, dest, source, bytes_of(nelems, sizeof(T)), alignof(T), pe);
}

template <class T>
T g(Context& ctx, const T* source, int pe) {
  const Target target(ctx, source, pe, {"source", sizeof(T), alignof(T)});
  if (target.is_here()) return here::load(source, target.delta());
  T value;
  target.transport().get(ctx, &value, target.address(), sizeof value, Completion::blocking);
  return value;
}

}  // namespace atrium
