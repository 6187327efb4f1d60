// Compares a job with the machine's limits on processes, open files and memory, before it is started.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/process/capacity.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "atrium_machine.h"
#include "atrium_system.hpp"
#include "core/settings.hpp"
#include "os/memory_limits.hpp"
#include "os/open_files.hpp"
#include "topology/cpus.hpp"

namespace atrium {
namespace {

// What a PE that does nothing was seen to take beside what all share: its own pages (200 KiB), page tables (90), kernel.
constexpr size_t least_process = size_t{384} << 10;
// 1,000 on two CPUs take 4 s to start, meet and end, 2,000 take 10: what is beyond this is rather a mistake.
constexpr unsigned long long most_per_cpu = 4096;
constexpr size_t files_of_oshrun = 16;
// Output, errors, what it reads, and its program where that is under a script.
constexpr size_t most_files_of_pe = 4;

struct Limit {
  unsigned long long most;
  std::string name, remedy;
};

void limit(Limit& limit, unsigned long long most, const std::string& name, const std::string& remedy) {
  if (most < limit.most) limit = {most, name, remedy};
}

void limit_by_file(Limit& least, const std::string& path, const std::string& remedy) {
  const std::string text = read_small_file(path);  // "max" where there is no limit
  if (!text.empty() && text[0] >= '0' && text[0] <= '9')
    limit(least, std::strtoull(text.c_str(), nullptr, 10), path, remedy);
}

void limit_by_group(void* least, const char* folder, int) {
  limit_by_file(*static_cast<Limit*>(least), std::string(folder) + "/pids.max",
                "fewer PEs, or a larger pids.max of the cgroup");
}

rlim_t hard_limit(int resource) {
  rlimit found{};
  return getrlimit(static_cast<decltype(RLIMIT_NOFILE)>(resource), &found) == 0 ? found.rlim_max
                                                                                : RLIM_INFINITY;
}

Limit least_limit(size_t pes, bool oversubscribe) {
  Limit least{~0ULL, {}, {}};
  if (!oversubscribe)
    limit(least, most_per_cpu * static_cast<unsigned long long>(usable_cpus()),
          std::to_string(most_per_cpu) + " for each usable CPU, and more would take very long",
          "fewer PEs, or --oversubscribe to try it");
  limit_by_file(least, "/proc/sys/kernel/pid_max", "fewer PEs, or a larger sysctl kernel.pid_max");
  limit_by_file(least, "/proc/sys/kernel/threads-max", "fewer PEs, or a larger sysctl kernel.threads-max");
  atrium_visit_own_cgroups("pids", limit_by_group, &least);
  if (geteuid() != 0)
    limit(least, hard_limit(RLIMIT_NPROC), "the user's limit on processes", "fewer PEs, or ulimit -Hu");
  limit(least, (std::max(raise_open_files(), files_of_oshrun) - files_of_oshrun) / 2,
        "the limit on open files, of which each PE takes two",
        "fewer PEs, or ulimit -Hn " + std::to_string(most_files_of_pe * pes + files_of_oshrun));
  limit(least, memory_of_node() / least_process,
        "the memory of " + format_size(memory_of_node()) + ", of which the smallest process takes " +
            format_size(least_process),
        "fewer PEs");
  return least;
}

}  // namespace

Result<void> require_room(int pes, bool oversubscribe) {
  constexpr int always_tried = 32;  // the limits are read only where they may matter
  if (pes <= always_tried) return {};
  const Limit least = least_limit(static_cast<size_t>(pes), oversubscribe);
  if (static_cast<unsigned long long>(pes) <= least.most) return {};
  return Error{"cannot start " + std::to_string(pes) + " PEs",
               "at most " + std::to_string(least.most) + " are possible here: " + least.name,
               {},
               least.remedy};
}

}  // namespace atrium
