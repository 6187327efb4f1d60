// fcollect by leaders: small blocks are gathered in the areas of the leaders, where every member reads them.
// SPDX-License-Identifier: BSD-3-Clause
#include "coll/collect/collect.hpp"
#include "coll/steps/node_gather.hpp"

namespace atrium {

// What areas cannot hold at once goes through dests where it can.
static bool takes(const Team& team, size_t bytes) {
  return has_node_gather(team, bytes) || (!team.nodes->in_order() && pays_in_parts(team, bytes));
}

static void run(Team& team, void* dest, const void* source, size_t bytes) {
  if (!takes(team, bytes))
    return fcollects
        .hand_over(fcollect_by::leaders, fcollect_by::bruck, "blocks of all members have to fit into 64 KiB")
        .run(team, dest, source, bytes);
  const auto fetch = [&](std::byte* place, size_t first, size_t count) {
    atrium::copy(place, static_cast<const std::byte*>(source) + first, count);
  };
  gather_in_parts(team, bytes, fetch, [&](const NodeGather& all, size_t first, size_t count) {
    std::byte* const begin = static_cast<std::byte*>(dest) + first;
    if (count == bytes && team.nodes->in_order())
      return atrium::copy(begin, all.of(0), bytes * static_cast<size_t>(team.size));
    for (int member = 0; member < team.size; ++member)
      atrium::copy(begin + static_cast<size_t>(member) * bytes, all.of(member), count);
  });
}

constinit const CollectAlgorithm fcollect_by::leaders{"leaders", run, any_bytes, any_members,
                                                      ServedNodes::many};

}  // namespace atrium
