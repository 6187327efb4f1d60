// Share: everybody lays a little data out in its own block, and after one sync everybody reads everybody's.
// SPDX-License-Identifier: BSD-3-Clause
//
// Why two halves suffice: whoever lays out for share s + 2 has left the sync of s + 1, so all had arrived
// there and had read what they wanted of s.
#pragma once

#include <cstring>

#include "coll/barrier/barrier.hpp"
#include "team/block.hpp"

namespace atrium {

class Share {
 public:
  explicit Share(Team& team) : team_(team), half_(++team.progress.shares % 2) {}

  // Room of share_bytes, aligned to 128. Fill it, then open().
  std::byte* mine() { return team_.my_block().shares[half_]; }
  void open() { synchronise(team_); }
  // Readable from open() until I enter the next collective.
  const std::byte* of(int member) const { return team_.block_of(member).shares[half_]; }

 private:
  Team& team_;
  uint64_t half_;
};

}  // namespace atrium
