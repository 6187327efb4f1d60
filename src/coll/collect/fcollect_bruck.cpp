// fcollect by Bruck's algorithm: leaders gather all blocks in their dests.
// SPDX-License-Identifier: BSD-3-Clause
#include "coll/collect/collect.hpp"
#include "coll/collect/dest_gather.hpp"

namespace atrium {

static void run(Team& team, void* dest, const void* source, size_t bytes) {
  if (!team.nodes->in_order())
    return fcollects
        .hand_over(fcollect_by::bruck, fcollect_by::leaders_put, "members are not numbered node after node")
        .run(team, dest, source, bytes);
  gather_in_dests(team, dest, source, [bytes](int member) { return static_cast<size_t>(member) * bytes; });
}

constinit const CollectAlgorithm fcollect_by::bruck{"bruck", run, any_bytes, any_members, ServedNodes::many};

}  // namespace atrium
