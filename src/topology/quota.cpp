// Reads cpu.max (cgroup version 2) and cpu.cfs_quota_us (version 1), here and in every group above it (base/), and
// cpu.stat, which says what that has cost.
// SPDX-License-Identifier: BSD-3-Clause
#include "topology/quota.hpp"

#include <algorithm>
#include <string>

#include "atrium_machine.h"
#include "atrium_system.hpp"

namespace atrium {

static_assert(no_quota == ATRIUM_NO_QUOTA);

double cgroup_quota(const std::string& membership, const std::string& mount) {
  return atrium_quota_of(membership.c_str(), mount.c_str());
}

// Microseconds since version 2.
static void keep_most_throttled(void* most, const char* folder, int version) {
  const std::string text = '\n' + read_small_file(std::string(folder) + "/cpu.stat");
  const uint64_t ns = version == 2 ? 1000 * number_behind(text, "\nthrottled_usec ")
                                   : number_behind(text, "\nthrottled_time ");
  uint64_t& kept = *static_cast<uint64_t*>(most);
  kept = std::max(kept, ns);
}

uint64_t cgroup_throttled_ns(const std::string& membership, const std::string& mount) {
  uint64_t most = 0;
  atrium_visit_cgroups("cpu", membership.c_str(), mount.c_str(), keep_most_throttled, &most);
  return most;
}

uint64_t cgroup_throttled_ns() {
  return cgroup_throttled_ns(read_small_file("/proc/self/cgroup"), ATRIUM_CGROUP_MOUNT);
}

double cgroup_quota() { return atrium_cgroup_quota(); }

}  // namespace atrium
