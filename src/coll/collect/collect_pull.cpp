// collect by pull: counts are laid out, then every member reads every block, then a sync.
// SPDX-License-Identifier: BSD-3-Clause
#include "coll/collect/collect.hpp"
#include "coll/collect/parcel.hpp"
#include "coll/steps/share.hpp"

namespace atrium {

static void run(Team& team, void* dest, const void* source, size_t bytes) {
  Share share(team, sizeof bytes);
  pack_parcel(share.mine(), sizeof bytes, source, bytes);
  share.open();
  read_blocks(team, dest, source, 1, [&](int member) { return bytes_in(share.of(member)); });
  synchronise(team);
}

constinit const CollectAlgorithm collect_by::pull{"pull", run};

}  // namespace atrium
