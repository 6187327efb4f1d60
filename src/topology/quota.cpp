// Reads cpu.max (cgroup version 2) and cpu.cfs_quota_us (version 1), here and in every group above.
// SPDX-License-Identifier: BSD-3-Clause
#include "topology/quota.hpp"

#include <cstdio>
#include <cstdlib>

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

// The tightest limit from `path` up to the mount. A path that is not below the mount, as in a container that
// sees the host's names, leaves the mount itself, which is then the container's own group.
template <class Read>
double climb(const std::string& mount, std::string path, Read read) {
  double quota = read(mount);
  while (path.size() > 1) {
    quota = tighter(quota, read(mount + path));
    path.erase(path.rfind('/'));
  }
  return quota;
}

bool names_cpu(const std::string& controllers) {
  return ("," + controllers + ",").find(",cpu,") != std::string::npos;
}

// One line "id:controllers:path"; version 2 has id 0 and no controllers.
double quota_of_line(const std::string& line, const std::string& mount) {
  const size_t first = line.find(':');
  const size_t second = first == std::string::npos ? first : line.find(':', first + 1);
  if (second == std::string::npos) return no_quota;
  const std::string controllers = line.substr(first + 1, second - first - 1);
  const std::string path = line.substr(second + 1);
  if (controllers.empty())
    return tighter(climb(mount, path, read_cpu_max), climb(mount + "/unified", path, read_cpu_max));
  if (!names_cpu(controllers)) return no_quota;
  return tighter(climb(mount + "/" + controllers, path, read_cfs_quota),
                 climb(mount + "/cpu", path, read_cfs_quota));
}

}  // namespace

double cgroup_quota(const std::string& membership, const std::string& mount) {
  double quota = no_quota;
  for (size_t begin = 0; begin < membership.size();) {
    size_t end = membership.find('\n', begin);
    if (end == std::string::npos) end = membership.size();
    quota = tighter(quota, quota_of_line(membership.substr(begin, end - begin), mount));
    begin = end + 1;
  }
  return quota;
}

double cgroup_quota() { return cgroup_quota(read_small_file("/proc/self/cgroup"), "/sys/fs/cgroup"); }

}  // namespace atrium
