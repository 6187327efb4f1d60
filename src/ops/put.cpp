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
  copy_to_peer(there(dest, delta), source, bytes);
  notify(delta, dest, bytes);
}

}  // namespace atrium

// What an inlined put of any size calls. The inline path is open, so nobody relies on being woken
// (wait/park.hpp).
extern "C" __attribute__((visibility("default"))) void atrium_put_1(void* there, const void* source,
                                                                    size_t bytes) {
  atrium::copy_to_peer(there, source, bytes);
}
