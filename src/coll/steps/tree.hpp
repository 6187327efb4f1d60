// A tree over a team, of which any member may be the root: parent and children of this member.
// SPDX-License-Identifier: BSD-3-Clause
//
// Numbers are taken relative to the root: the children of r are r * radix + 1 ... r * radix + radix.
#pragma once

#include <algorithm>

#include "team/block.hpp"
#include "team/team.hpp"

namespace atrium {

class Tree {
 public:
  explicit Tree(const Team& team, int root = 0) : Tree(team.me, team.size, root) {}
  Tree(int me, int size, int root) : size_(size), root_(root), relative_((me - root + size) % size) {}

  bool is_root() const { return relative_ == 0; }
  int parent() const { return absolute((relative_ - 1) / tree_radix); }
  // Which child of its parent this member is: 0 ... tree_radix - 1.
  int branch() const { return (relative_ - 1) % tree_radix; }
  int children() const { return static_cast<int>(std::clamp<int64_t>(size_ - first_child(), 0, tree_radix)); }
  int child(int branch) const { return absolute(static_cast<int>(first_child()) + branch); }

 private:
  int64_t first_child() const { return static_cast<int64_t>(relative_) * tree_radix + 1; }
  int absolute(int relative) const { return (relative + root_) % size_; }

  int size_;
  int root_;
  int relative_;
};

}  // namespace atrium
