// fcollect by leaders: small blocks are gathered in the areas of the leaders, where everybody reads them.
// SPDX-License-Identifier: BSD-3-Clause
#include "coll/collect/across.hpp"
#include "coll/collect/collect.hpp"
#include "coll/steps/node_gather.hpp"

namespace atrium {

static void run(Team& team, void* dest, const void* source, size_t bytes) {
  if (!has_node_gather(team, bytes))
    return fcollects
        .hand_over(fcollect_by::leaders, fcollect_by::leaders_put,
                   "blocks of all members have to fit into 64 KiB")
        .run(team, dest, source, bytes);
  const Team& node = team.nodes->node;
  const NodeGather all(team, bytes,
                       [&](std::byte* place, int i) { atrium::copy(place, node.there(source, i), bytes); });
  for (int member = 0; member < team.size; ++member)
    atrium::copy(static_cast<std::byte*>(dest) + static_cast<size_t>(member) * bytes, all.of(member), bytes);
}

constinit const CollectAlgorithm fcollect_by::leaders{"leaders", run, any_bytes, any_members, Nodes::many};

}  // namespace atrium
