// Clears what a new team's block must not have from the team that had this memory before.
// SPDX-License-Identifier: BSD-3-Clause
#include "team/block.hpp"

#include <cstring>

namespace atrium {
namespace {

// Memory that nothing was written into is not touched: the system has not given it yet.
void clear_epochs(TeamBlock& block, EagerSlot* slots, size_t count, size_t written) {
  const auto begin = reinterpret_cast<uintptr_t>(&block);
  for (size_t i = 0; i < count && reinterpret_cast<uintptr_t>(&slots[i]) - begin < written; ++i)
    slots[i].epoch.store(0, std::memory_order_relaxed);
}

}  // namespace

// What another member writes here comes behind a barrier of the new team's parent, and so behind this.
void clear_block(TeamBlock& block, int members, size_t written) {
  const size_t flags =
      offsetof(TeamBlock, rounds) + static_cast<size_t>(rounds_of(members)) * sizeof(EpochLine);
  std::memset(static_cast<void*>(&block), 0, std::min(flags, written));
  clear_epochs(block, block.eager_slots, ring_slots, written);
  if (has_exchange(members))
    clear_epochs(block, &block.exchange_slot(0, members, 0), 2 * static_cast<size_t>(members), written);
}

}  // namespace atrium
