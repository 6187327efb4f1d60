// Strided puts and gets (specification sections 9.6.1.3, 9.6.1.4, 9.6.1.7, 9.6.1.8).
// SPDX-License-Identifier: BSD-3-Clause
//
// Strides are distances between the starts of blocks, in elements; iput and iget move blocks of one element.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ops/bits.hpp"
#include "ops/target.hpp"

namespace atrium {

// `alignment` is what checks ask of my copy of what the PE holds.
void put_strided(Context& ctx, void* dest, const void* source, const Strides& strides, size_t alignment,
                 int pe);
void get_strided(Context& ctx, void* dest, const void* source, const Strides& strides, size_t alignment,
                 int pe);

// Strides and sizes that no memory has stay as impossible as they are: wrapped around, they would be small and wrong.
inline ptrdiff_t step_of(ptrdiff_t stride, ptrdiff_t element) {
  ptrdiff_t step;
  return !__builtin_mul_overflow(stride, element, &step) ? step : stride < 0 ? PTRDIFF_MIN : PTRDIFF_MAX;
}
template <class T>
Strides strides_of(ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks) {
  constexpr auto size = static_cast<ptrdiff_t>(sizeof(T));
  return {step_of(dst, size), step_of(sst, size), bytes_of(bsize, sizeof(T)), nblocks};
}

template <class T>
void ibput(Context& ctx, T* dest, const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks,
           int pe) {
  put_strided(ctx, dest, source, strides_of<T>(dst, sst, bsize, nblocks), alignof(T), pe);
}
template <class T>
void ibget(Context& ctx, T* dest, const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks,
           int pe) {
  get_strided(ctx, dest, source, strides_of<T>(dst, sst, bsize, nblocks), alignof(T), pe);
}
template <class T>
void iput(Context& ctx, T* dest, const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) {
  ibput(ctx, dest, source, dst, sst, 1, nelems, pe);
}
template <class T>
void iget(Context& ctx, T* dest, const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) {
  ibget(ctx, dest, source, dst, sst, 1, nelems, pe);
}

}  // namespace atrium
