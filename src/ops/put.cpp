// The code behind every put: checks, then a copy on the node or a record to another one.
// SPDX-License-Identifier: BSD-3-Clause
#include "ops/put.hpp"

namespace atrium {

template <Completion how>
void put_bytes(Context& ctx, void* dest, const void* source, size_t bytes, size_t alignment, int pe) {
  const Target target(ctx, dest, pe, {"dest", bytes, alignment});
  if (checking()) {
    require_memory("source", source, bytes);
    require_disjoint(target.pieces("dest", bytes), {"source", source, bytes});
  }
  if (target.is_here()) return here::put(dest, target.delta(), source, bytes);
  target.transport().put(ctx, target.address(), source, bytes, how);
}

template void put_bytes<Completion::blocking>(Context&, void*, const void*, size_t, size_t, int);
template void put_bytes<Completion::nonblocking>(Context&, void*, const void*, size_t, size_t, int);

}  // namespace atrium

// An inlined put of any size calls this. The inline path is open, so no sleeper relies on being woken (wait/park.hpp).
extern "C" __attribute__((visibility("default"))) void atrium_put_1(void* there, const void* source,
                                                                    size_t bytes) {
  atrium::require_apart(there, source, bytes);
  atrium::copy_to_peer(there, source, bytes);
}
