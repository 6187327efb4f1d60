// How many members of each node work on large data between nodes.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/result.hpp"
#include "team/nodes.hpp"

namespace atrium {

// Reads ATRIUM_LEADERS. It and `cpus_of_node`, the fewest of a node, must be the same on all PEs.
Result<void> choose_leader_count(int cpus_of_node);

// That many, but never more than the smallest node of the team has members.
int leaders_of(const TeamNodes& nodes);

}  // namespace atrium
