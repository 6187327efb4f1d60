// The code behind every get: checks, then a copy on the node or a request to another one.
// SPDX-License-Identifier: BSD-3-Clause
#include "ops/get.hpp"

namespace atrium {

template <Completion how>
void get_bytes(Context& ctx, void* dest, const void* source, size_t bytes, size_t alignment, int pe) {
  const Target target(ctx, source, pe, {"source", bytes, alignment});
  if (checking()) {
    require_memory("dest", dest, bytes);
    require_disjoint({"dest", dest, bytes}, target.pieces("source", bytes));
  }
  if (target.is_here()) return here::get(dest, source, target.delta(), bytes);
  target.transport().get(ctx, dest, target.address(), bytes, how);
}

template void get_bytes<Completion::blocking>(Context&, void*, const void*, size_t, size_t, int);
template void get_bytes<Completion::nonblocking>(Context&, void*, const void*, size_t, size_t, int);

}  // namespace atrium

// What an inlined get of any size calls; the acquire fence (SYNC get) follows there, in ATRIUM_GET. The
// inline path is open, so no PE has to give way to another.
extern "C" __attribute__((visibility("default"))) void atrium_get_1(void* dest, const void* there,
                                                                    size_t bytes) {
  atrium::require_apart(dest, there, bytes);
  atrium::copy(dest, there, bytes);
}
