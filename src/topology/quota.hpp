// How much processor time a cgroup grants: the limit that containers and batch systems set.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace atrium {

inline constexpr double no_quota = 0;

// CPUs' worth of time per second that this process's cgroups (version 1 or 2) grant, or `no_quota`.
double cgroup_quota();

// The same, from the text of a /proc/self/cgroup and the folder where cgroups are mounted.
double cgroup_quota(const std::string& membership, const std::string& mount);

}  // namespace atrium
