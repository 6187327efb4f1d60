// Follows allocations and frees of the symmetric heap, which synchronise all PEs.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/openshmem/memory.hpp"

#include "race/model/blocks.hpp"
#include "race/openshmem/collectives.hpp"

namespace atrium::race {

// The barrier of the routine is over, so that peers may already use their blocks: they wait for mine to be ready.
void note_allocated(const RoutineCall& operation, void* block, size_t bytes, bool written) {
  const BarrierUse use(operation.site, *operation.group, false);
  if (block) begin_states(block, bytes, written);
  pshmem_sync_all();
}

void note_freed(const RoutineCall& operation) {
  const BarrierUse use(operation.site, *operation.group, true);
  pshmem_barrier_all();
  if (operation.block_bytes != 0)
    end_states(reinterpret_cast<uintptr_t>(operation.dest), operation.block_bytes);
}

}  // namespace atrium::race
