// Put: copying to a PE (specification sections 9.6.1.1, 9.6.1.2, 9.6.2.1).
// SPDX-License-Identifier: BSD-3-Clause
//
// On the node a put has been issued to memory when it returns, so there the nonblocking form is the blocking one.
#pragma once

#include <cstddef>

#include "ops/bits.hpp"
#include "ops/target.hpp"
#include "transport/here.hpp"

namespace atrium {

// `dest` is mine, symmetric; `alignment` is what checks ask of it. (Six arguments fit into registers, so a seventh is
// one of the template.)
template <Completion how>
void put_bytes(Context& ctx, void* dest, const void* source, size_t bytes, size_t alignment, int pe);

template <class T>
void put(Context& ctx, T* dest, const T* source, size_t nelems, int pe) {
  put_bytes<Completion::blocking>(ctx, dest, source, bytes_of(nelems, sizeof(T)), alignof(T), pe);
}

template <class T>
void put_nbi(Context& ctx, T* dest, const T* source, size_t nelems, int pe) {
  put_bytes<Completion::nonblocking>(ctx, dest, source, bytes_of(nelems, sizeof(T)), alignof(T), pe);
}

template <class T>
void p(Context& ctx, T* dest, T value, int pe) {
  const Target target(ctx, dest, pe, {"dest", sizeof(T), alignof(T)});
  if (target.is_here()) return here::store(dest, target.delta(), value);
  target.transport().put(ctx, target.address(), &value, sizeof value, Completion::blocking);
}

}  // namespace atrium
