// Do all members of a team make the same collective call? Looked at with ATRIUM_CHECK=1 or SHMEM_DEBUG.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "check/check.hpp"
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
  release,
  split_strided,
  split_2d,
  destruction,
  end
};

// What must be equal on all members.
struct CollectiveCall {
  Routine routine;
  size_t bytes = 0;
  int64_t which = 0;  // the root of a broadcast, the place of a block in the heap, the triplet of a split
  void (*work)(void*, const void*, const void*,
               size_t) = nullptr;  // tells operation and type: combines elements
};

// Of a triplet, in one number. Size goes where bytes do.
inline int64_t start_and_stride(int start, int stride) {
  return static_cast<int64_t>(static_cast<uint64_t>(static_cast<uint32_t>(start)) << 32 |
                              static_cast<uint32_t>(stride));
}

// Collective. Ends the job with a message unless every member has passed what member 0 has.
void compare_calls(Team& team, const CollectiveCall& call);

// Collective, in shmem_finalize; ends the job where member 0 makes another call. Whether member 0 says the same.
bool is_said_by_first_at_end(Team& team, uint64_t what);

inline void require_same_call(Team& team, const CollectiveCall& call) {
  if (checking() && team.size > 1) compare_calls(team, call);
}

}  // namespace atrium
