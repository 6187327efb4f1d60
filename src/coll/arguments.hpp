// The arguments of collectives: always that they are symmetric memory, all else with ATRIUM_CHECK=1 or SHMEM_DEBUG.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "arena/arena.hpp"
#include "check/check.hpp"
#include "team/team.hpp"

namespace atrium {

// A local variable would be where the peers have something else, or nothing.
inline void require_reachable(const char* argument, const void* address, size_t bytes) {
  if (__builtin_expect(bytes != 0 && !arena.is_symmetric(address, bytes), 0))
    refuse_unsymmetric(argument, address, bytes);
}

inline void check_buffers(const void* dest, size_t dest_bytes, const void* source, size_t source_bytes) {
  if (!checking())
    return require_reachable("dest", dest, dest_bytes), require_reachable("source", source, source_bytes);
  require_symmetric("dest", dest, dest_bytes);
  require_symmetric("source", source, source_bytes);
}

// As a whole, and wholly apart, or the same where that is allowed.
inline void check_buffers(const void* dest, size_t dest_bytes, const void* source, size_t source_bytes,
                          Identical identical) {
  check_buffers(dest, dest_bytes, source, source_bytes);
  if (checking()) require_disjoint({"dest", dest, dest_bytes}, {"source", source, source_bytes}, identical);
}

inline void check_root(const Team& team, int root) {
  if (__builtin_expect(root < 0 || root >= team.size, 0)) refuse_root(root, team.size);
}

inline void check_stride(const char* argument, ptrdiff_t stride) {
  if (__builtin_expect(stride < 1, 0)) refuse_value(argument, stride, "a stride of 1 or more");
}

}  // namespace atrium
