// One operation on another's memory, as its wrapper describes it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <complex>
#include <type_traits>

#include "interpose/openshmem.hpp"
#include "race/model/site.hpp"
#include "race/shadow/slot.hpp"

namespace atrium::race {

template <class T>
constexpr TypeClass class_of() {
  if (std::is_same_v<T, float>) return TypeClass::float32;
  if (std::is_same_v<T, double>) return TypeClass::float64;
  return sizeof(T) == 4 ? TypeClass::int32 : TypeClass::int64;
}

constexpr size_t size_of(TypeClass type) {
  switch (type) {
    case TypeClass::int8:
      return 1;
    case TypeClass::int16:
      return 2;
    case TypeClass::int32:
    case TypeClass::float32:
      return 4;
    default:
      return 8;
  }
}

// nblocks blocks of bsize elements; the distances from one to the next in elements.
struct Strides {
  ptrdiff_t dest, source;
  size_t block, blocks, unit;
};

// One operation, as its wrapper describes it.
struct Transfer {
  Site site;
  shmem_ctx_t ctx;
  const void* remote;
  const void* local;
  size_t bytes;
  int pe;
};

// A PE of a context's team, by its number in the world; -1: none.
int world_pe(shmem_ctx_t ctx, int pe);

}  // namespace atrium::race
