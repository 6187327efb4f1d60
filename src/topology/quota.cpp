// Reads cpu.max (cgroup version 2) and cpu.cfs_quota_us (version 1), here and in every group above it: primitives/.
// SPDX-License-Identifier: BSD-3-Clause
#include "topology/quota.hpp"

#include "atrium_primitives.h"

namespace atrium {

static_assert(no_quota == ATRIUM_NO_QUOTA);

double cgroup_quota(const std::string& membership, const std::string& mount) {
  return atrium_quota_of(membership.c_str(), mount.c_str());
}

double cgroup_quota() { return atrium_cgroup_quota(); }

}  // namespace atrium
