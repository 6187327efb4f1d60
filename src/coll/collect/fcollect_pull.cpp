// fcollect by pull: after a sync every member reads every source, and after another sync they leave.
// SPDX-License-Identifier: BSD-3-Clause
#include "coll/barrier/barrier.hpp"
#include "coll/collect/collect.hpp"
#include "coll/steps/transfer.hpp"

namespace atrium {

static void run(Team& team, void* dest, const void* source, size_t bytes) {
  synchronise(team);
  for (int step = 0; step < team.size; ++step) {
    const int member = team.after(step);
    std::byte* place = static_cast<std::byte*>(dest) + static_cast<size_t>(member) * bytes;
    get_from(team, member, place, source, bytes);
  }
  synchronise(team);
}

constinit const CollectAlgorithm fcollect_by::pull{"pull", run};

}  // namespace atrium
