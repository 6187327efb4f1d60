// The bodies of strided puts and gets, for elements and blocks of any size.
// SPDX-License-Identifier: BSD-3-Clause
#include "ops/strided.hpp"

#include "arch/fence.hpp"
#include "copy/strided.hpp"
#include "wait/wait.hpp"

namespace atrium {
namespace {

// Bytes from the first block's first to the last block's last.
size_t extent(const Strides& strides, ptrdiff_t step) {
  if (strides.count == 0 || strides.block == 0) return 0;
  return extent_of(strides.count, static_cast<size_t>(step), strides.block);
}

// With a dst of 0 all blocks are written to one place, which is a mistake; other strides matter only to checks.
void require_steps(const Strides& strides) {
  if (strides.count < 2 || !(checking() || strides.dest_step == 0)) return;
  const auto is_short = [&](ptrdiff_t step) { return step < 0 || static_cast<size_t>(step) < strides.block; };
  if (is_short(strides.dest_step)) refuse_value("dst", strides.dest_step, "a stride of at least one block");
  if (is_short(strides.source_step))
    refuse_value("sst", strides.source_step, "a stride of at least one block");
}

Pieces pieces(const char* argument, const void* first, const Strides& strides, ptrdiff_t step) {
  return {argument, first, strides.block, strides.count, static_cast<size_t>(step)};
}

void copy_by(const Strides& strides, void* dest, const void* source) {
  copy_strided(dest, source, strides.dest_step, strides.source_step, strides.block, strides.count);
}

}  // namespace

void put_strided(Context& ctx, void* dest, const void* source, const Strides& strides, size_t alignment,
                 int pe) {
  require_steps(strides);
  const size_t bytes = extent(strides, strides.dest_step);
  const Target target(ctx, dest, pe, {"dest", bytes, alignment});
  if (bytes == 0) return;
  if (checking()) {
    require_memory("source", source, extent(strides, strides.source_step));
    require_disjoint(target.pieces("dest", strides.block, strides.count, strides.dest_step),
                     pieces("source", source, strides, strides.source_step));
  }
  if (!target.is_here())
    return target.transport().put_strided(ctx, target.address(), source, strides, Completion::blocking);
  copy_by(strides, target.memory(), source);
  target.announce(bytes);
}

void get_strided(Context& ctx, void* dest, const void* source, const Strides& strides, size_t alignment,
                 int pe) {
  require_steps(strides);
  const size_t bytes = extent(strides, strides.source_step);
  const Target target(ctx, source, pe, {"source", bytes, alignment});
  if (bytes == 0) return;
  if (checking()) {
    require_memory("dest", dest, extent(strides, strides.dest_step));
    require_disjoint(pieces("dest", dest, strides, strides.dest_step),
                     target.pieces("source", strides.block, strides.count, strides.source_step));
  }
  if (!target.is_here())
    return target.transport().get_strided(ctx, dest, target.address(), strides, Completion::blocking);
  copy_by(strides, dest, target.memory());
  acquire_fence();  // SYNC get
  looked();
}

}  // namespace atrium
