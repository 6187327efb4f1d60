// alltoall by pull: once all have come, every member reads its blocks from the others' sources; then a second sync.
// SPDX-License-Identifier: BSD-3-Clause
#include "coll/alltoall/alltoall.hpp"
#include "coll/barrier/barrier.hpp"

namespace atrium {

static void run(Team& team, const AlltoallBlocks& blocks) {
  synchronise(team);
  const std::byte* mine = blocks.source_block(team.me);
  for (int step = 0; step < team.size; ++step) {
    const int member = team.after(step);
    get_block(team, member, blocks, blocks.dest_block(member), mine);
  }
  synchronise(team);
}

constinit const AlltoallAlgorithm alltoall_by::pull{"pull", run};

}  // namespace atrium
