// Reads the machine's, the cgroup's and the shell's limits.
// SPDX-License-Identifier: BSD-3-Clause
#include "os/memory_limits.hpp"

#include <sys/resource.h>
#include <sys/sysinfo.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <string>

#include "os/page.hpp"

namespace atrium {
namespace {

// The number in a file of one number; "max" and unreadable files mean no limit.
size_t read_limit(const std::string& path) {
  std::ifstream file(path);
  size_t value = 0;
  return file >> value ? value : SIZE_MAX;
}

// This process's group in the cgroup tree, or "" (the root, which is what a container sees of itself).
std::string cgroup_of(const std::string& controller) {
  std::ifstream file("/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const size_t first = line.find(':');
    const size_t second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    if (line.substr(first + 1, second - first - 1) == controller) return line.substr(second + 1);
  }
  return "";
}

// The smallest limit of a group and all groups above it.
size_t smallest_on_the_way_up(const std::string& root, std::string group, const std::string& file) {
  size_t limit = SIZE_MAX;
  while (true) {
    limit = std::min(limit, read_limit(root + group + "/" + file));
    if (group.empty() || group == "/") return limit;
    group.resize(group.find_last_of('/'));
  }
}

}  // namespace

size_t memory_of_node() {
  struct sysinfo machine {};
  sysinfo(&machine);
  const size_t physical = machine.totalram * machine.mem_unit;
  const size_t version2 = smallest_on_the_way_up("/sys/fs/cgroup", cgroup_of(""), "memory.max");
  const size_t version1 = smallest_on_the_way_up("/sys/fs/cgroup/memory", cgroup_of("memory"), "memory.limit_in_bytes");
  return std::min({physical, version2, version1});
}

size_t address_space_left() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return SIZE_MAX;
  size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const size_t used = pages * page_size();
  return limit.rlim_cur > used ? limit.rlim_cur - used : 0;
}

}  // namespace atrium
