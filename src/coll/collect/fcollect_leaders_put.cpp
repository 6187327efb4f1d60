// fcollect by leaders that put: each block goes to each other node once, and from there its members copy it.
// SPDX-License-Identifier: BSD-3-Clause
#include "coll/collect/across.hpp"
#include "coll/collect/collect.hpp"

namespace atrium {

static void run(Team& team, void* dest, const void* source, size_t bytes) {
  collect_across(team, dest, source, [bytes](int member) {
    return BlockPlace{static_cast<size_t>(member) * bytes, bytes};
  });
}

constinit const CollectAlgorithm fcollect_by::leaders_put{"leaders_put", run, any_bytes, any_members,
                                                          ServedNodes::many};

}  // namespace atrium
