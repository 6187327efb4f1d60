// The CPUs that this process may use, and how many PEs can run on them at once.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

namespace atrium {

// The numbers of the CPUs in the affinity mask, ascending. Never empty.
std::vector<int> allowed_cpus();

// The numbers of all CPUs that run, whether or not this process may use them, ascending. Never empty.
std::vector<int> online_cpus();

// How many PEs can run at once here: the affinity mask, cut by the cgroup's quota. At least 1.
// A fraction is rounded down: two PEs that spin on one and a half CPUs get in each other's way.
int usable_cpus();

// How many CPUs of the machine others keep busy just now (/proc/loadavg), this process apart; 0 where that is not known.
int busy_cpus();

// That many CPUs, cut by a quota (topology/quota.hpp); at least 1.
int limit_to_quota(int cpus, double quota);

}  // namespace atrium
