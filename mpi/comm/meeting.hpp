// How the ranks of a communicator find out who shares a node with whom: each says where it is, in one collective call.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

#include "segment/other_process.hpp"
#include "wait/wait.hpp"

namespace atrium::mpi {

// What a rank says when ranks meet.
struct RankRecord {
  std::uint64_t node;  // the same for processes that can have memory in common, as far as the system says
  ProcessMark process;
  std::uint64_t group;  // what it knows of these ranks from another communicator (group_book.hpp); 0: nothing
  std::uint64_t buffer;  // a buffer of theirs that it does not use; 0: none
  std::uint64_t has_room, has_lent_memory;
};

// Fills in `node` and `process`. Collective: those of all ranks.
std::vector<RankRecord> meet(MPI_Comm comm, RankRecord mine);

// True if it is true of all ranks.
bool is_so_for_all(const std::vector<RankRecord>& all, std::uint64_t RankRecord::*word);
// All ranks have the same one, and it is not 0.
bool have_in_common(const std::vector<RankRecord>& all, std::uint64_t RankRecord::*word);

// Of each rank the first one on its node, as arrange() takes them. `node_ranks`: of pretended nodes; 0: as they are.
std::vector<int> node_roots(const std::vector<RankRecord>& all, int node_ranks);

// Those on the node of `rank`.
std::vector<ProcessMark> processes_beside(const std::vector<RankRecord>& all, int rank);

// How to wait where these processes share a node, this one among them.
RankWaitPolicy wait_policy_for(const std::vector<ProcessMark>& processes);

}  // namespace atrium::mpi
