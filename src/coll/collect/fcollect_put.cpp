// fcollect by put: every member writes its block into every dest, then one sync.
// SPDX-License-Identifier: BSD-3-Clause
#include "coll/barrier/barrier.hpp"
#include "coll/collect/collect.hpp"
#include "coll/steps/transfer.hpp"

namespace atrium {

static void run(Team& team, void* dest, const void* source, size_t bytes) {
  std::byte* place = static_cast<std::byte*>(dest) + static_cast<size_t>(team.me) * bytes;
  for (int step = 1; step <= team.size; ++step) {
    put_to(team, team.after(step), place, source, bytes);
  }
  synchronise(team);
}

constinit const CollectAlgorithm fcollect_by::put{"put", run};

}  // namespace atrium
