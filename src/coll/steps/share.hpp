// Share: each member writes a little data into its own block, and after one sync every member reads all blocks.
// SPDX-License-Identifier: BSD-3-Clause
//
// Two halves suffice: a member that writes for share s + 2 has left the sync of s + 1, so all had arrived
// there and had read what they needed of s.
#pragma once

#include <cstring>
#include <vector>

#include "coll/barrier/barrier.hpp"
#include "coll/steps/transfer.hpp"
#include "team/block.hpp"

namespace atrium {

class Share {
 public:
  // No member writes more than `bytes`.
  Share(Team& team, size_t bytes) : team_(team), bytes_(bytes), half_(++team.progress.shares % 2) {}

  // Memory of share_bytes, aligned to 128. Fill it, then open().
  std::byte* mine() { return team_.my_block().shares[half_]; }
  void open() {
    synchronise(team_);
    if (team_.spans_nodes) bring_near();
  }
  // Readable from open() until I enter the next collective.
  const std::byte* of(int member) const {
    return team_.is_here(member) ? team_.block_of(member).shares[half_] : &brought_[slot(member)];
  }

 private:
  size_t slot(int member) const { return static_cast<size_t>(member) * share_bytes; }
  void bring_near() {
    brought_.resize(slot(team_.size));
    for (int step = 1; step < team_.size; ++step) {
      const int member = team_.after(step);
      if (!team_.is_here(member))
        detail::get_away(team_, member, &brought_[slot(member)], team_.block_of(member).shares[half_],
                         bytes_);
    }
    settle();
  }

  Team& team_;
  size_t bytes_;
  uint64_t half_;
  std::vector<std::byte> brought_;  // of members on other nodes, by member
};

}  // namespace atrium
