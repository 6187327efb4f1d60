// Do all members of a team make the same collective call? Looked at with ATRIUM_CHECK=1 or SHMEM_DEBUG.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "check/check.hpp"
#include "coll/element_loops.hpp"
#include "team/team.hpp"

namespace atrium {

enum class Routine : uint64_t {
  barrier,
  sync,
  broadcast,
  collect,
  fcollect,
  alltoall,
  reduction,
  inscan,
  exscan,
  allocation,
  resizing,
  release
};

// What must be equal on all members.
struct CollectiveCall {
  Routine routine;
  size_t bytes = 0;
  int64_t which = 0;                  // the root of a broadcast, the place of a block in the heap
  const ElementLoop* loop = nullptr;  // operation and type
};

// Collective. Ends the job with a message unless every member has passed what member 0 has.
void compare_calls(Team& team, const CollectiveCall& call);

inline void require_same_call(Team& team, const CollectiveCall& call) {
  if (checking() && team.size > 1) compare_calls(team, call);
}

}  // namespace atrium
