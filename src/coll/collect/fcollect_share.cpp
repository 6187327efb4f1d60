// fcollect by share: every member lays its block out, one sync, every member reads all.
// SPDX-License-Identifier: BSD-3-Clause
#include "coll/collect/collect.hpp"
#include "coll/steps/share.hpp"
#include "copy/copy.hpp"

namespace atrium {

static void run(Team& team, void* dest, const void* source, size_t bytes) {
  Share share(team, bytes);
  copy(share.mine(), source, bytes);
  share.open();
  for (int step = 0; step < team.size; ++step) {
    const int member = team.after(step);
    copy(static_cast<std::byte*>(dest) + static_cast<size_t>(member) * bytes, share.of(member), bytes);
  }
}

constinit const CollectAlgorithm fcollect_by::share{"share", run, share_bytes};

}  // namespace atrium
