// Reads the machine's, the cgroup's and the shell's limits.
// SPDX-License-Identifier: BSD-3-Clause
#include "os/memory_limits.hpp"

#include <sys/resource.h>
#include <sys/sysinfo.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "atrium_machine.h"
#include "atrium_system.hpp"
#include "os/page.hpp"

namespace atrium {
namespace {

void keep_least_limit(void* least, const char* folder, int version) {
  uint64_t& kept = *static_cast<uint64_t*>(least);
  kept = std::min(kept, atrium_limit_in(folder, version == 2 ? "memory.max" : "memory.limit_in_bytes"));
}

// As drivers of network cards ask for it: root of a user namespace has it in that namespace only, which does not count.
bool may_lock_any_memory() {
  constexpr const char* all_users = "4294967295";
  constexpr unsigned ipc_lock = 14;  // CAP_IPC_LOCK
  const uint64_t capabilities = number_behind(read_small_file("/proc/self/status"), "CapEff:", 16);
  return (capabilities >> ipc_lock & 1) != 0 &&
         read_small_file("/proc/self/uid_map").find(all_users) != std::string::npos;
}

}  // namespace

size_t memory_left() {
  const uint64_t available = atrium_number_behind("/proc/meminfo", "MemAvailable:") << 10;
  return std::min(available, atrium_allowance_left());
}

size_t memory_of_node() {
  struct sysinfo machine {};
  sysinfo(&machine);
  uint64_t least = std::min(uint64_t{machine.totalram} * machine.mem_unit, atrium_commit_limit());
  atrium_visit_own_cgroups("memory", keep_least_limit, &least);
  return least;
}

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
