// Strided puts and gets (specification sections 9.6.1.3, 9.6.1.4, 9.6.1.7, 9.6.1.8).
// SPDX-License-Identifier: BSD-3-Clause
//
// Strides are distances between the starts of blocks, in elements; iput and iget move blocks of one element.
#pragma once

#include <cstddef>

#include "ops/bits.hpp"
#include "ops/here.hpp"

namespace atrium {

// All in bytes but for the count of blocks.
struct Strides {
  ptrdiff_t dest_step;
  ptrdiff_t source_step;
  size_t block;
  size_t count;
  size_t alignment;
};
void put_strided(Context& ctx, void* dest, const void* source, const Strides& strides, int pe);
void get_strided(Context& ctx, void* dest, const void* source, const Strides& strides, int pe);

template <class T>
Strides strides_of(ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks) {
  constexpr auto size = static_cast<ptrdiff_t>(sizeof(T));
  return {dst * size, sst * size, bsize * sizeof(T), nblocks, alignof(T)};
}

template <class T>
void ibput(Context& ctx, T* dest, const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks,
           int pe) {
  put_strided(ctx, dest, source, strides_of<T>(dst, sst, bsize, nblocks), pe);
}
template <class T>
void ibget(Context& ctx, T* dest, const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks,
           int pe) {
  get_strided(ctx, dest, source, strides_of<T>(dst, sst, bsize, nblocks), pe);
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
