// collect by pull: counts and places are laid out, then every member reads every block, then a sync.
// SPDX-License-Identifier: BSD-3-Clause
#include "coll/collect/collect.hpp"
#include "coll/collect/parcel.hpp"
#include "coll/steps/share.hpp"

namespace atrium {

static void run(Team& team, void* dest, const void* source, size_t bytes) {
  Share share(team, bare_parcel_bytes);
  pack_bare_parcel(share.mine(), team, source, bytes);
  share.open();
  read_blocks(team, dest, 1, [&](int member) { return share.of(member); });
  synchronise(team);
}

constinit const CollectAlgorithm collect_by::pull{"pull", run};

}  // namespace atrium
