// Alltoalls: block j of my source becomes block `me` of member j's dest.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll/alltoall/blocks.hpp"
#include "coll/select/family.hpp"
#include "team/team.hpp"

namespace atrium {

using AlltoallRun = void(Team& team, const AlltoallBlocks& blocks);
using AlltoallAlgorithm = Algorithm<AlltoallRun>;  // limits are in bytes per block

namespace alltoall_by {
extern const AlltoallAlgorithm eager_exchange, put, pull, leaders, bruck, transpose;
}

extern Family<CollectiveFamily::alltoall, AlltoallRun> alltoall_family;

}  // namespace atrium
