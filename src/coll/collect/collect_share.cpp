// collect by share: every member lays out its count and a small block; large blocks are read or written.
// SPDX-License-Identifier: BSD-3-Clause
#include "coll/collect/collect.hpp"
#include "coll/collect/parcel.hpp"
#include "coll/steps/share.hpp"

namespace atrium {

static void run(Team& team, void* dest, const void* source, size_t bytes) {
  Share share(team, share_bytes);
  pack_parcel(share.mine(), share_bytes, team, source, bytes);
  share.open();
  unpack_parcels(team, dest, source, share_bytes, [&](int member) { return share.of(member); });
}

constinit const CollectAlgorithm collect_by::share{"share", run};

}  // namespace atrium
