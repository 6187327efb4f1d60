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
  std::int64_t local;  // its number among the job's ranks on its machine, as the launcher says it, or -1
};

// Collective: the records of all ranks.
std::vector<RankRecord> meet(MPI_Comm comm);

// Of each rank the first one on its node, as arrange() takes them. `node_ranks`: of pretended nodes; 0: as they are. Two ranks are on
// one pretended node in all communicators or in none, if the launcher has numbered them (base/atrium_pretended_nodes.h).
std::vector<int> node_roots(const std::vector<RankRecord>& all, int node_ranks);

// Those on the node of `rank`.
std::vector<ProcessMark> processes_beside(const std::vector<RankRecord>& all, int rank);

// How to wait where these processes share a node, this one among them.
RankWaitPolicy wait_policy_for(const std::vector<ProcessMark>& processes);

}  // namespace atrium::mpi
