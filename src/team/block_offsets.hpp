// Where the members of a team that spans nodes have their blocks, if not all at the same offset.
// SPDX-License-Identifier: BSD-3-Clause
//
// Leaders of nodes have larger blocks than other PEs, so later blocks lie farther into their system memory. This is the same on all
// nodes, so a few ranges of places for each node describe it, and no table of all members is needed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace atrium {

// The members at this place of their node, and at the next ones up to the next range, have their blocks so far into their system memory.
struct BlockRange {
  int32_t node, place;  // of the job
  int64_t offset;
};

class BlockOffsets {
 public:
  // In any order.
  void add(const BlockRange& range) { ranges_.push_back(range); }
  // Puts them in order and joins those that are alike.
  void complete();

  bool are_all_equal() const { return ranges_.size() <= 1; }
  // Requires: complete(), and that a member is there.
  int64_t at(int node, int place) const;
  const std::vector<BlockRange>& ranges() const { return ranges_; }

 private:
  std::vector<BlockRange> ranges_;
};

}  // namespace atrium
