// Collects: the blocks of all members, one after another, in every member's dest.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll/select/family.hpp"
#include "team/team.hpp"

namespace atrium {

// fcollect: every member brings `bytes`. collect: `bytes` may differ, and no member knows the others' yet.
using CollectRun = void(Team& team, void* dest, const void* source, size_t bytes);
using CollectAlgorithm = Algorithm<CollectRun>;

namespace fcollect_by {
extern const CollectAlgorithm eager_exchange, share, put, pull, leaders, bruck, leaders_put;
}
namespace collect_by {
extern const CollectAlgorithm eager_exchange, share, put, pull, leaders;
}

extern Family<CollectiveFamily::fcollect, CollectRun> fcollects;
extern Family<CollectiveFamily::collect, CollectRun> collects;

}  // namespace atrium
