// The body of every get.
// SPDX-License-Identifier: BSD-3-Clause
#include "ops/get.hpp"

#include "copy/copy.hpp"

namespace atrium {

void get_bytes(Context& ctx, void* dest, const void* source, size_t bytes, size_t alignment, int pe) {
  const ptrdiff_t delta = delta_of(ctx, pe);
  if (checking()) {
    require_symmetric("source", source, bytes, alignment);
    require_memory("dest", dest, bytes);
    require_disjoint(dest, there(source, delta), bytes);
  }
  copy(dest, there(source, delta), bytes);
  acquire_fence();  // SYNC value
  looked();
}

}  // namespace atrium
