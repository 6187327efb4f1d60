// The ranks of a communicator or window that are on this node, and the place where they leave their clocks.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "race/mpi/clocks.hpp"

namespace atrium::race {

inline constexpr int elsewhere = -1;

struct RanksHere {
  int rank = 0;              // of this one
  std::vector<int> members;  // by their numbers on the node, or elsewhere
  bool is_here = true;       // all of them
  size_t place = 0;          // in MpiClocks::group
  uint64_t collectives = 0;  // that this rank has begun, as many as each other member
  std::unordered_map<uint64_t, uint64_t> sent, received;  // messages.cpp: of this rank, by rank and tag

  Common& turn(uint64_t collective) const { return clocks->group[place][collective % turns]; }
  // elsewhere: no rank of the node, as MPI_ANY_SOURCE.
  int on_node(int of_group) const {
    return of_group < 0 || of_group >= static_cast<int>(members.size())
               ? elsewhere
               : members[static_cast<size_t>(of_group)];
  }
};

// The numbers that ranks of the job's world have on the node.
void learn_numbers();

// Found once and kept as an attribute. Null: of an inter-communicator, or none.
RanksHere* ranks_of(MPI_Comm comm);
RanksHere* ranks_of_win(MPI_Win win);

}  // namespace atrium::race
