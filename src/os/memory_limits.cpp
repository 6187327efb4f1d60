// Reads the machine's, the cgroup's and the shell's limits.
// SPDX-License-Identifier: BSD-3-Clause
#include "os/memory_limits.hpp"

#include <sys/resource.h>
#include <sys/sysinfo.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "os/page.hpp"
#include "os/small_file.hpp"

namespace atrium {
namespace {

// The number in a file of one number; "max" and unreadable files mean no limit.
size_t read_limit(const std::string& path) {
  const std::string text = read_small_file(path);
  char* end = nullptr;
  const unsigned long long value = std::strtoull(text.c_str(), &end, 10);
  return end == text.c_str() ? SIZE_MAX : value;
}

// This process's group in the cgroup tree, or "" (the root, which is what a container sees of itself).
std::string cgroup_of(const std::string& controller) {
  const std::string text = "\n" + read_small_file("/proc/self/cgroup");
  const size_t found = text.find(":" + controller + ":");  // a line is "number:controllers:path"
  if (found == std::string::npos) return "";
  const size_t begin = found + controller.size() + 2;
  return text.substr(begin, text.find('\n', begin) - begin);
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
  const size_t version1 =
      smallest_on_the_way_up("/sys/fs/cgroup/memory", cgroup_of("memory"), "memory.limit_in_bytes");
  return std::min({physical, version2, version1});
}

size_t address_space_left() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return SIZE_MAX;
  const size_t used = std::strtoull(read_small_file("/proc/self/statm").c_str(), nullptr, 10) * page_size();
  return limit.rlim_cur > used ? limit.rlim_cur - used : 0;
}

}  // namespace atrium
