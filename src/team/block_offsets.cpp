// Puts ranges of places in order, and looks a place up.
// SPDX-License-Identifier: BSD-3-Clause
#include "team/block_offsets.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>

#include "team/team.hpp"
#include "topology/placement.hpp"

namespace atrium {
namespace {

bool is_before(const BlockRange& a, const BlockRange& b) {
  return std::tie(a.node, a.place) < std::tie(b.node, b.place);
}

}  // namespace

void BlockOffsets::complete() {
  std::sort(ranges_.begin(), ranges_.end(), is_before);
  const auto is_same = [](const BlockRange& a, const BlockRange& b) { return a.offset == b.offset; };
  ranges_.erase(std::unique(ranges_.begin(), ranges_.end(), is_same), ranges_.end());
  ranges_.shrink_to_fit();
}

int64_t BlockOffsets::at(int node, int place) const {
  return std::prev(
             std::upper_bound(ranges_.begin() + 1, ranges_.end(), BlockRange{node, place, 0}, is_before))
      ->offset;
}

}  // namespace atrium

ptrdiff_t atrium_team::shift_by_ranges(int member) const {
  const auto offset_of = [this](int pe) {
    return offsets->at(atrium::placement.node_of(pe), atrium::placement.place_of(pe));
  };
  return static_cast<ptrdiff_t>(offset_of(world_pe(member)) - offset_of(world_pe(me)));
}
