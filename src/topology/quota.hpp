// How much processor time a cgroup grants: the limit that containers and batch systems set.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

namespace atrium {

inline constexpr double no_quota = 0;

// CPUs' worth of time per second that this process's cgroups (version 1 or 2) grant, or `no_quota`.
double cgroup_quota();

// The same, from the text of a /proc/self/cgroup and the folder where cgroups are mounted.
double cgroup_quota(const std::string& membership, const std::string& mount);

// For how long a quota has kept this process's groups from running, since they are there: the sum over all CPUs. Where several
// groups have one, of the group that was kept the longest. Some tens of microseconds.
uint64_t cgroup_throttled_ns();
uint64_t cgroup_throttled_ns(const std::string& membership, const std::string& mount);

}  // namespace atrium
