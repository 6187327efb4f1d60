// Reads cpu.max (cgroup version 2) and cpu.cfs_quota_us (version 1), here and in every group above.
// SPDX-License-Identifier: BSD-3-Clause
#include "topology/quota.hpp"

#include <cstdio>
#include <cstdlib>

#include "os/cgroup.hpp"
#include "os/small_file.hpp"

namespace atrium {
namespace {

double tighter(double a, double b) {
  if (a == no_quota) return b;
  if (b == no_quota) return a;
  return a < b ? a : b;
}

double share(double quota, double period) { return quota > 0 && period > 0 ? quota / period : no_quota; }

// Version 2: "max 100000" or "150000 100000" microseconds.
double read_cpu_max(const std::string& group) {
  double quota = 0, period = 0;
  if (std::sscanf(read_small_file(group + "/cpu.max").c_str(), "%lf %lf", &quota, &period) != 2)
    return no_quota;
  return share(quota, period);
}

double read_cfs_quota(const std::string& group) {
  const double quota = std::atof(read_small_file(group + "/cpu.cfs_quota_us").c_str());  // -1: none
  return share(quota, std::atof(read_small_file(group + "/cpu.cfs_period_us").c_str()));
}

}  // namespace

double cgroup_quota(const std::string& membership, const std::string& mount) {
  const CgroupFolders folders = cgroup_folders("cpu", membership, mount);
  double quota = no_quota;
  for (const std::string& group : folders.version2) quota = tighter(quota, read_cpu_max(group));
  for (const std::string& group : folders.version1) quota = tighter(quota, read_cfs_quota(group));
  return quota;
}

double cgroup_quota() { return cgroup_quota(read_small_file("/proc/self/cgroup"), cgroup_mount); }

}  // namespace atrium
