// What communicators of the same ranks in the same order have in common. It does not change once it has been found out.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "comm/nodes.hpp"
#include "operation/operation.hpp"
#include "wait/wait.hpp"

namespace atrium::mpi {

struct RankGroup {
  std::uint64_t number = 0;  // the same on all its ranks, and no other group's
  Nodes nodes;
  RankWaitPolicy wait_policy;
  OperationSet differing{};           // of any rank
  std::array<std::string, 2> shapes;  // as the settings have it: blocks are copied, or read (comm/shape.hpp)
  std::vector<pid_t> processes;  // of this node, by local rank, if all ranks can read those of their nodes
};

}  // namespace atrium::mpi
