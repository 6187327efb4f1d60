// collect by leaders: counts and the beginnings of blocks are gathered in the areas of the leaders, and after them the rest of larger blocks, if
// there are any: in the areas what fits, in the leaders' dests what does not. Still larger ones go directly to all nodes.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include "coll/collect/across.hpp"
#include "coll/collect/collect.hpp"
#include "coll/collect/dest_gather.hpp"
#include "coll/collect/parcel.hpp"
#include "coll/steps/node_gather.hpp"

namespace atrium {
namespace {

constexpr size_t count_bytes = sizeof(size_t), most_parcel = 256;

// Where a count and a word of each member do not fit in one part, counts go alone: blocks then come from the sources without a
// copy more. Where not even counts fit, a word goes with them.
size_t parcel_bytes(const Team& team) {
  const size_t most = most_in_node_gather(team);
  return most < count_bytes ? 2 * count_bytes : std::min(most, most_parcel) / count_bytes * count_bytes;
}

// The parcels of all members: where they were gathered, or in memory of my own if that took several parts.
class Parcels {
 public:
  Parcels(Team& team, const std::byte* mine, size_t capacity) : capacity_(capacity) {
    const auto fetch = [&](std::byte* place, size_t first, size_t count) {
      atrium::copy(place, mine + first, count);
    };
    gather_in_parts(team, capacity, fetch, [&](const NodeGather& all, size_t first, size_t count) {
      if (count == capacity) return whole_.emplace(all), void();
      kept_.resize(capacity * static_cast<size_t>(team.size));
      for (int member = 0; member < team.size; ++member)
        atrium::copy(&kept_[static_cast<size_t>(member) * capacity + first], all.of(member), count);
    });
  }
  const std::byte* of(int member) const {
    return whole_ ? whole_->of(member) : &kept_[static_cast<size_t>(member) * capacity_];
  }

 private:
  size_t capacity_;
  std::optional<NodeGather> whole_;
  std::vector<std::byte> kept_;
};

using Begins = std::vector<size_t>;

// Where each member's block begins, and where the last one ends.
Begins begins_of(const Team& team, const Parcels& all) {
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

// What parcels hold of the blocks: all of it, or the beginnings.
void copy_blocks(const Team& team, const Begins& begins, void* dest, const Parcels& all, size_t held) {
  for (int member = 0; member < team.size; ++member) {
    const BlockPlace place = place_of(begins, member);
    if (place.bytes > 0)
      atrium::copy(static_cast<std::byte*>(dest) + place.at, all.of(member) + count_bytes,
                   std::min(place.bytes, held));
  }
}

// What a block has of the bytes first ... that are gathered of all.
size_t bytes_in_part(const BlockPlace& place, size_t first, size_t count) {
  return std::min(count, place.bytes - std::min(place.bytes, first));
}

// From byte `held` of each block on.
void gather_rest(Team& team, const Begins& begins, size_t held, size_t largest, void* dest,
                 const void* source) {
  const BlockPlace mine = place_of(begins, team.me);
  const auto fetch = [&](std::byte* copied, size_t first, size_t count) {
    const size_t bytes = bytes_in_part(mine, held + first, count);
    if (bytes > 0) atrium::copy(copied, static_cast<const std::byte*>(source) + held + first, bytes);
  };
  gather_in_parts(team, largest - held, fetch, [&](const NodeGather& all, size_t first, size_t count) {
    for (int member = 0; member < team.size; ++member) {
      const BlockPlace place = place_of(begins, member);
      const size_t bytes = bytes_in_part(place, held + first, count);
      if (bytes > 0)
        atrium::copy(static_cast<std::byte*>(dest) + place.at + held + first, all.of(member), bytes);
    }
  });
}

// As an fcollect of so much in all (coll/select/rules.cpp): each message waits for the one before, so large blocks go directly.
bool pays_in_dests(const Team& team, size_t bytes) {
  const TeamNodes& nodes = *team.nodes;
  const bool shares_nodes = nodes.most_members() > 1 && !is_oversubscribed();
  const size_t most = (!shares_nodes ? 64 : job_is(costly_messages) ? 16 : 8) << 10;
  return nodes.in_order() && bytes / static_cast<size_t>(team.size) <= most;
}

void run(Team& team, void* dest, const void* source, size_t bytes) {
  const size_t capacity = parcel_bytes(team);
  if (most_in_node_gather(team) == 0)
    return collects.hand_over(collect_by::leaders, collect_by::share, "the team has too many members")
        .run(team, dest, source, bytes);
  const size_t held = capacity - count_bytes;
  std::byte mine[most_parcel] = {};  // all of which is sent
  std::memcpy(mine, &bytes, count_bytes);
  if (bytes > 0) atrium::copy(mine + count_bytes, source, std::min(bytes, held));
  const Parcels all(team, mine, capacity);
  const Begins begins = begins_of(team, all);
  const size_t largest = largest_block(team, begins);
  if (largest <= held) return copy_blocks(team, begins, dest, all, held);
  if (has_node_gather(team, largest - held) ||
      (!team.nodes->in_order() && pays_in_parts(team, largest - held))) {
    copy_blocks(team, begins, dest, all, held);
    return gather_rest(team, begins, held, largest, dest, source);
  }
  if (pays_in_dests(team, begins.back()))
    return gather_in_dests(team, dest, source,
                           [&](int member) { return begins[static_cast<size_t>(member)]; });
  collect_across(team, dest, source, [&](int member) { return place_of(begins, member); });
}

}  // namespace

constinit const CollectAlgorithm collect_by::leaders{"leaders", run, any_bytes, any_members,
                                                     ServedNodes::many};

}  // namespace atrium
