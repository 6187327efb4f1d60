// Merges what a strand knows into what others find, and back.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/mpi/clocks.hpp"

#include <mutex>

namespace atrium::race {

MpiClocks* clocks = nullptr;

size_t bytes_of_clocks(int ranks) {
  const auto count = static_cast<size_t>(ranks);
  return sizeof(MpiClocks) + sizeof(MpiClocks::Letters) * count * count + sizeof(Mailbox) * count;
}

void release(const Strand& strand, Common& to) {
  std::lock_guard guard(to.lock);
  to.clock.merge(*strand.clock, lanes_used());
}

void acquire(Strand& strand, Common& from, uint64_t origin) {
  std::lock_guard guard(from.lock);
  merge_into(strand, from.clock, origin);
}

}  // namespace atrium::race
