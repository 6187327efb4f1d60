// collect by leaders: counts and small blocks are gathered in the areas of the leaders; large blocks are put.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <vector>

#include "coll/collect/across.hpp"
#include "coll/collect/collect.hpp"
#include "coll/collect/parcel.hpp"
#include "coll/steps/node_gather.hpp"

namespace atrium {
namespace {

constexpr size_t least_parcel = 16, most_parcel = 256;
static_assert(most_parcel <= share_bytes);

size_t parcel_bytes(const Team& team) {
  return std::min(area_bytes / static_cast<size_t>(team.size), most_parcel) / 8 * 8;
}

// Where each member's block begins, and where the last one ends.
std::vector<size_t> begins_of(const Team& team, const NodeGather& all) {
  std::vector<size_t> begins{0};
  for (int member = 0; member < team.size; ++member)
    begins.push_back(begins.back() + bytes_in(all.of(member)));
  return begins;
}

void run(Team& team, void* dest, const void* source, size_t bytes) {
  const size_t room = parcel_bytes(team);
  if (room < least_parcel) return collect_by::share.run(team, dest, source, bytes);
  Team& node = team.nodes->node;
  const size_t half = ++node.progress.shares % 2;
  pack_parcel(node.my_block().shares[half], room, source, bytes);
  const NodeGather all(team, room, [&](int i) { return node.block_of(i).shares[half]; });
  const std::vector<size_t> begins = begins_of(team, all);
  const auto place_of = [&](int member) {
    const auto i = static_cast<size_t>(member);
    return BlockPlace{begins[i], begins[i + 1] - begins[i]};
  };
  bool any_large = false;
  for (int member = 0; member < team.size; ++member)
    any_large |= place_of(member).bytes > room - sizeof bytes;
  if (any_large) return collect_across(team, dest, source, place_of);
  for (int member = 0; member < team.size; ++member) {
    const BlockPlace place = place_of(member);
    if (place.bytes > 0)
      atrium::copy(static_cast<std::byte*>(dest) + place.at, all.of(member) + sizeof bytes, place.bytes);
  }
}

}  // namespace

constinit const CollectAlgorithm collect_by::leaders{"leaders", run, any_bytes, any_members, Nodes::many};

}  // namespace atrium
