// collect by put: counts are laid out, then every member writes its block into every dest, then a sync.
// SPDX-License-Identifier: BSD-3-Clause
#include <cstring>

#include "coll/collect/collect.hpp"
#include "coll/collect/parcel.hpp"
#include "coll/steps/share.hpp"

namespace atrium {

static void run(Team& team, void* dest, const void* source, size_t bytes) {
  Share share(team, sizeof bytes);
  std::memcpy(share.mine(), &bytes, sizeof bytes);
  share.open();
  if (bytes > 0)
    write_my_block(team, dest, source, bytes, [&](int member) { return bytes_in(share.of(member)); });
  synchronise(team);
}

constinit const CollectAlgorithm collect_by::put{"put", run};

}  // namespace atrium
