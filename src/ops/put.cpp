// The body of every put.
// SPDX-License-Identifier: BSD-3-Clause
#include "ops/put.hpp"

#include "copy/copy.hpp"

namespace atrium {

void put_bytes(Context& ctx, void* dest, const void* source, size_t bytes, size_t alignment, int pe) {
  const ptrdiff_t delta = delta_of(ctx, pe);
  if (checking()) {
    require_symmetric("dest", dest, bytes, alignment);
    require_memory("source", source, bytes);
    require_disjoint(there(dest, delta), source, bytes);
  }
  copy(there(dest, delta), source, bytes);
  notify(delta, dest, bytes);
}

}  // namespace atrium
