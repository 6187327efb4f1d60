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

// What an inlined get of any size calls; the acquire fence (SYNC value) follows there, in ATRIUM_GET. The
// inline path is open, so no PE has to give way to another.
extern "C" __attribute__((visibility("default"))) void atrium_get_1(void* dest, const void* there,
                                                                    size_t bytes) {
  atrium::copy(dest, there, bytes);
}
