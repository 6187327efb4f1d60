// alltoall by put: every member writes its blocks into the others' dests, then one sync.
// SPDX-License-Identifier: BSD-3-Clause
#include "coll/alltoall/alltoall.hpp"
#include "coll/barrier/barrier.hpp"

namespace atrium {

static void run(Team& team, const AlltoallBlocks& blocks) {
  std::byte* place = blocks.dest_block(team.me);
  for (int step = 1; step <= team.size; ++step) {
    const int member = team.after(step);
    put_block(team, member, blocks, place, blocks.source_block(member));
  }
  synchronise(team);
}

constinit const AlltoallAlgorithm alltoall_by::put{"put", run};

}  // namespace atrium
