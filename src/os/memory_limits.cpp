// Reads the machine's, the cgroup's and the shell's limits.
// SPDX-License-Identifier: BSD-3-Clause
#include "os/memory_limits.hpp"

#include <sys/resource.h>
#include <sys/sysinfo.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "atrium_machine.h"
#include "atrium_system.hpp"
#include "os/page.hpp"

namespace atrium {
namespace {

// The number in a file of one number; "max" and unreadable files mean no limit.
size_t read_limit(const std::string& path) {
  const std::string text = read_small_file(path);
  char* end = nullptr;
  const unsigned long long value = std::strtoull(text.c_str(), &end, 10);
  return end == text.c_str() ? SIZE_MAX : value;
}

size_t smallest(const std::vector<std::string>& groups, const char* file) {
  size_t limit = SIZE_MAX;
  for (const std::string& group : groups) limit = std::min(limit, read_limit(group + file));
  return limit;
}

}  // namespace

size_t memory_left(const CgroupFolders& groups) {
  size_t left = SIZE_MAX;
  for (const std::string& group : groups.version2)
    left = std::min<size_t>(left, atrium_memory_left_in(group.c_str(), 2));
  for (const std::string& group : groups.version1)
    left = std::min<size_t>(left, atrium_memory_left_in(group.c_str(), 1));
  return left;
}

size_t memory_left() {
  const size_t available = atrium_number_behind("/proc/meminfo", "MemAvailable:") << 10;
  return std::min(available, memory_left(cgroup_folders("memory")));
}

size_t memory_of_node() {
  struct sysinfo machine {};
  sysinfo(&machine);
  const size_t physical = machine.totalram * machine.mem_unit;
  const CgroupFolders groups = cgroup_folders("memory");
  return std::min({physical, smallest(groups.version2, "/memory.max"),
                   smallest(groups.version1, "/memory.limit_in_bytes")});
}

namespace {

// As drivers of network cards ask for it: root of a user namespace has it in that namespace only, which does not count.
bool may_lock_any_memory() {
  constexpr const char* all_users = "4294967295";
  constexpr unsigned ipc_lock = 14;  // CAP_IPC_LOCK
  const uint64_t capabilities = number_behind(read_small_file("/proc/self/status"), "CapEff:", 16);
  return (capabilities >> ipc_lock & 1) != 0 &&
         read_small_file("/proc/self/uid_map").find(all_users) != std::string::npos;
}

}  // namespace

size_t lockable_memory() {
  rlimit limit{};
  const bool unlimited = getrlimit(RLIMIT_MEMLOCK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY;
  return unlimited || may_lock_any_memory() ? SIZE_MAX : limit.rlim_cur;
}

size_t address_space_left() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return SIZE_MAX;
  const size_t used = std::strtoull(read_small_file("/proc/self/statm").c_str(), nullptr, 10) * page_size();
  return limit.rlim_cur > used ? limit.rlim_cur - used : 0;
}

}  // namespace atrium
