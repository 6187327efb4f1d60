// Names this machine, and reads what the system says of the other processes on it.
// SPDX-License-Identifier: BSD-3-Clause
#include "comm/meeting.hpp"

#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>

#include "atrium_hash.hpp"
#include "atrium_machine.h"
#include "atrium_pretended_nodes.h"
#include "atrium_system.hpp"
#include "atrium_waiting.h"
#include "settings/settings.hpp"

namespace atrium::mpi {
namespace {

// Segments are found by processes of one kernel (the boot) and one IPC namespace. Machines that were started as copies of one
// running machine have one boot; hosts made of namespaces, as tests make them, have their names.
std::string describe_node() {
  char boot[64] = "";
  struct stat space {};
  atrium_read_file("/proc/sys/kernel/random/boot_id", boot, sizeof boot);
  stat("/proc/self/ns/ipc", &space);
  return std::string(boot) + " " + std::to_string(space.st_ino) + " " + host_name();
}

// Nothing where the system does not say it, of a process in another namespace.
void add_cpus(const ProcessMark& process, atrium_cpu_mask& cpus) {
  atrium_cpu_mask mask{};
  if (syscall(SYS_sched_getaffinity, static_cast<pid_t>(process.process), sizeof mask, &mask) <= 0) return;
  std::transform(std::begin(mask.words), std::end(mask.words), std::begin(cpus.words), std::begin(cpus.words),
                 std::bit_or<>());
}

}  // namespace

std::vector<RankRecord> meet(MPI_Comm comm) {
  static const std::uint64_t node = hash_of(describe_node());
  const RankRecord mine{node, my_process_mark(), rank_started_here()};
  int size = 0;
  PMPI_Comm_size(comm, &size);
  std::vector<RankRecord> all(static_cast<std::size_t>(size));
  PMPI_Allgather(&mine, sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE, comm);
  return all;
}

std::vector<int> node_roots(const std::vector<RankRecord>& all, int node_ranks) {
  std::map<std::uint64_t, std::vector<int>> machines;
  for (std::size_t rank = 0; rank < all.size(); ++rank)
    machines[all[rank].node].push_back(static_cast<int>(rank));
  std::vector<int> roots(all.size());
  for (const auto& [key, ranks] : machines) {
    std::vector<std::int64_t> numbers;
    std::vector<int> first(ranks.size(), 0);
    for (const int rank : ranks) numbers.push_back(all[static_cast<std::size_t>(rank)].local);
    if (node_ranks > 0)
      atrium_cut_machine(numbers.data(), static_cast<int>(ranks.size()), node_ranks, first.data());
    for (std::size_t each = 0; each < ranks.size(); ++each)
      roots[static_cast<std::size_t>(ranks[each])] = ranks[static_cast<std::size_t>(first[each])];
  }
  return roots;
}

std::vector<ProcessMark> processes_beside(const std::vector<RankRecord>& all, int rank) {
  std::vector<ProcessMark> processes;
  for (const RankRecord& each : all)
    if (each.node == all[static_cast<std::size_t>(rank)].node) processes.push_back(each.process);
  return processes;
}

// Ranks may be bound to one CPU each: what counts is how many CPUs they have together. Ranks of the job that are not of this
// communicator may want them, too.
RankWaitPolicy wait_policy_for(const std::vector<ProcessMark>& processes) {
  atrium_cpu_mask together;
  atrium_allowed_cpus(&together);
  for (const ProcessMark& process : processes) add_cpus(process, together);
  const int ranks = static_cast<int>(processes.size());
  const int cpus = atrium_limit_to_quota(atrium_count_cpus(&together), atrium_cgroup_quota());
  const bool alone = std::max(ranks, ranks_started_here()) <= cpus;
  const int spins = atrium_spins_that_take(alone ? atrium_spin_ns_alone : atrium_spin_ns_shared);
  RankWaitPolicy policy;
  policy.spins = alone ? spins : 0;
  policy.spins_elsewhere = spins;
  return policy;
}

}  // namespace atrium::mpi
