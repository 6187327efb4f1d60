// The ranks of a communicator or window that are on this node, and the place where they leave their clocks.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "interpose/spin_lock.hpp"
#include "race/mpi/clocks.hpp"
#include "race/mpi/receives.hpp"

namespace atrium::race {

inline constexpr int elsewhere = -1;

// Messages that go one way, or plans of those in parts, by their order.
struct NumberedCalls {
  uint32_t next = 0;
  uint32_t under_way = 0;  // of the calls that have taken a number
  bool have_order =
      true;  // false: calls overlapped, or one was taken back, and nobody knows which number a message has
};
using NumberedByTag = std::unordered_map<uint64_t, NumberedCalls>;  // by rank and tag

// Several threads may send and receive: the lock guards what stands behind it.
struct RanksHere {
  int rank = 0;  // of this one
  std::vector<int>
      members;  // by their numbers on the node, or elsewhere; of an inter-communicator those of the remote group
  bool is_inter = false;
  bool is_here = true;                     // all of them, of both groups
  std::atomic<bool> lets_overtake{false};  // its messages each other, as the program has said
  static constexpr uint32_t parts =
      0x80000000;     // this bit is not in names: messages in parts are matched among themselves
  uint32_t name = 0;  // of the communicator, the same on all of its ranks; several may have one name
  std::vector<int> before,
      behind;  // in the topology: the ranks from which a collective of neighbours brings something, and to which
  uint32_t
      collectives = 0,
      meetings =
          0;  // that this rank has begun, as many as each other member; those in which each waits for each
  interpose::SpinLock lock;
  PostedReceives receives;                             // of this rank
  NumberedByTag sent;                                  // messages of this rank
  NumberedByTag parts_planned_to, parts_planned_from;  // partitioned messages

  Common& turn(uint32_t meeting) const { return clocks->group[name % group_places][meeting % turns]; }
  Common& without_place() const { return clocks->group[name % group_places][turns]; }
  // elsewhere: no rank of the node, as MPI_ANY_SOURCE.
  int on_node(int of_group) const {
    return of_group < 0 || of_group >= static_cast<int>(members.size())
               ? elsewhere
               : members[static_cast<size_t>(of_group)];
  }
};

// Requests keep what they need of a communicator that is freed before them.
using Ranks = std::shared_ptr<RanksHere>;

// The numbers that ranks of the job's world have on the node.
void learn_numbers();

// Found once and kept as an attribute. Null: of no communicator or window. A communicator is named by its ranks, and where the check has
// seen that it was made, by how many meetings its parent had had.
Ranks ranks_of(MPI_Comm comm);
void name_communicator(MPI_Comm made, const RanksHere& parent, uint32_t meeting);
Ranks ranks_of_win(MPI_Win win);

}  // namespace atrium::race
