// collect by leaders: counts and small blocks are gathered in the areas of the leaders, then, where there are any, blocks
// that fit there whole; larger ones are put.
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

using Begins = std::vector<size_t>;

// Where each member's block begins, and where the last one ends.
Begins begins_of(const Team& team, const NodeGather& all) {
  Begins begins{0};
  for (int member = 0; member < team.size; ++member)
    begins.push_back(begins.back() + bytes_in(all.of(member)));
  return begins;
}

BlockPlace place_of(const Begins& begins, int member) {
  const auto i = static_cast<size_t>(member);
  return BlockPlace{begins[i], begins[i + 1] - begins[i]};
}

size_t largest_block(const Team& team, const Begins& begins) {
  size_t largest = 0;
  for (int member = 0; member < team.size; ++member)
    largest = std::max(largest, place_of(begins, member).bytes);
  return largest;
}

// `ahead`: bytes before each block.
void copy_blocks(const Team& team, const Begins& begins, void* dest, const NodeGather& all, size_t ahead) {
  for (int member = 0; member < team.size; ++member) {
    const BlockPlace place = place_of(begins, member);
    if (place.bytes > 0)
      atrium::copy(static_cast<std::byte*>(dest) + place.at, all.of(member) + ahead, place.bytes);
  }
}

void gather_blocks(Team& team, const Begins& begins, size_t largest, void* dest, const void* source) {
  const TeamNodes& nodes = *team.nodes;
  const std::vector<int>& neighbours = nodes.members[static_cast<size_t>(nodes.me)];
  const NodeGather all(team, largest, [&](std::byte* place, int i) {
    const size_t bytes = place_of(begins, neighbours[static_cast<size_t>(i)]).bytes;
    if (bytes > 0) atrium::copy(place, nodes.node.there(source, i), bytes);
  });
  copy_blocks(team, begins, dest, all, 0);
}

void run(Team& team, void* dest, const void* source, size_t bytes) {
  const size_t room = parcel_bytes(team);
  if (room < least_parcel)
    return collects.hand_over(collect_by::leaders, collect_by::share, "the team has too many members")
        .run(team, dest, source, bytes);
  Team& node = team.nodes->node;
  const size_t half = ++node.progress.shares % 2;
  pack_parcel(node.my_block().shares[half], room, source, bytes);
  const NodeGather all(
      team, room, [&](std::byte* place, int i) { atrium::copy(place, node.block_of(i).shares[half], room); });
  const Begins begins = begins_of(team, all);
  const size_t largest = largest_block(team, begins);
  if (largest <= room - sizeof bytes) return copy_blocks(team, begins, dest, all, sizeof bytes);
  if (has_node_gather(team, largest)) return gather_blocks(team, begins, largest, dest, source);
  collect_across(team, dest, source, [&](int member) { return place_of(begins, member); });
}

}  // namespace

constinit const CollectAlgorithm collect_by::leaders{"leaders", run, any_bytes, any_members, Nodes::many};

}  // namespace atrium
