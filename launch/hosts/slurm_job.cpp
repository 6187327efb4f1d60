// Slurm describes the job by variables; its own scontrol expands lists of hosts such as "a[01-03,7]".
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/hosts/slurm_job.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>

#include "atrium_words.hpp"
#include "core/log.hpp"
#include "launch/cli/hosts.hpp"
#include "launch/cli/nodes.hpp"
#include "launch/hosts/agent_command.hpp"
#include "launch/process/output_of.hpp"

namespace atrium {
namespace {

using Names = std::vector<std::string>;

std::string variable(const char* name) {
  const char* text = std::getenv(name);
  return text ? text : "";
}

int number_in(const char* name) { return std::max(std::atoi(variable(name).c_str()), 0); }

// srun has started several oshruns: each of them is a job of its own, on its host.
bool is_one_of_many() { return number_in("SLURM_STEP_NUM_TASKS") > 1; }

Result<Names> nodes_of_job() {
  const std::string list = variable("SLURM_JOB_NODELIST");
  if (list.find('[') == std::string::npos) return split_words(list, ",");
  auto lines = output_of({"scontrol", "show", "hostnames", list});
  if (lines) return split_words(*lines, "\n");
  return Error{
      "cannot tell the hosts of this Slurm job (SLURM_JOB_NODELIST=" + list + ")",
      lines.error().because,
      {},
      "scontrol in PATH (Debian: slurm-client), or --hosts A,B, or --hosts localhost for this host alone"};
}

// A shell that srun has started sees its own step's tasks, of fewer hosts than the job's; then the job's CPUs count.
std::vector<int> tasks_of(size_t nodes) {
  for (const char* name : {"SLURM_TASKS_PER_NODE", "SLURM_JOB_CPUS_PER_NODE"})
    if (auto counts = counts_by_node(variable(name)); counts.size() == nodes) return counts;
  return std::vector<int>(nodes, 0);
}

Result<void> take_hosts(Options& options) {
  auto nodes = nodes_of_job();
  if (!nodes) return nodes.error();
  const std::vector<int> tasks = tasks_of(nodes->size());
  for (size_t i = 0; i < nodes->size(); ++i) options.hosts.push_back({(*nodes)[i], tasks[i]});
  return {};
}

// The node that the user means; as many as there are: none of the job's.
size_t find_node(const Names& nodes, const std::string& name) {
  const auto first_part = [](const std::string& text) { return text.substr(0, text.find('.')); };
  const auto exact = std::find(nodes.begin(), nodes.end(), name);
  const auto found =
      exact != nodes.end() ? exact : std::find_if(nodes.begin(), nodes.end(), [&](const auto& node) {
        return first_part(node) == first_part(name);
      });
  return static_cast<size_t>(found - nodes.begin());
}

Error not_in_job(const std::string& host) {
  return {"cannot reach host " + host + " by srun",
          "the hosts of this Slurm job are " + variable("SLURM_JOB_NODELIST"),
          {},
          "salloc -w " + host + ", or --agent ssh"};
}

// Hosts that the user has named: those of the job have its tasks, and srun reaches them, unless he says it otherwise.
Result<void> join_named_hosts(Options& options, bool by_srun) {
  auto nodes = nodes_of_job();
  if (!nodes) return by_srun ? Result<void>(nodes.error()) : Result<void>();
  const std::vector<int> tasks = tasks_of(nodes->size());
  bool all_found = true;
  std::vector<HostSlots> hosts = options.hosts;
  for (HostSlots& host : hosts) {
    const bool is_here = is_this_host(host.name);
    size_t node = find_node(*nodes, host.name);
    if (node == nodes->size() && is_here) node = find_node(*nodes, variable("SLURMD_NODENAME"));
    all_found = all_found && (is_here || node < nodes->size());
    if (by_srun && !all_found) return not_in_job(host.name);
    if (node == nodes->size()) continue;
    if (!is_here && (by_srun || agent_is_open(options))) host.name = (*nodes)[node];
    if (options.pes == 0 && host.slots == 0) host.slots = tasks[node];
  }
  if (!all_found) return {};
  options.hosts = std::move(hosts);
  if (agent_is_open(options)) options.agent = "srun";
  return {};
}

}  // namespace

std::vector<int> counts_by_node(std::string_view text) {
  std::vector<int> counts;
  const auto skip = [&](std::string_view word) {
    const bool there = text.starts_with(word);
    text.remove_prefix(there ? word.size() : 0);
    return there;
  };
  do {
    const auto count = take_number<int>(text);
    const bool repeats = skip("(x");
    const auto times = repeats ? take_number<int>(text) : 1;
    if (!count || *count < 1 || !times || *times < 1 || *times > 1 << 20 || (repeats && !skip(")")))
      return {};
    counts.insert(counts.end(), static_cast<size_t>(*times), *count);
  } while (skip(","));
  return text.empty() ? counts : std::vector<int>();
}

Result<void> take_slurm_job(Options& options) {
  const bool by_srun = reaches_by_srun(options);
  const bool in_job = !variable("SLURM_JOB_ID").empty() && !variable("SLURM_JOB_NODELIST").empty();
  if (!in_job && by_srun && !is_only_this_host(options))
    return Error{"srun reaches the hosts of a Slurm job, and this is none",
                 "SLURM_JOB_ID or SLURM_JOB_NODELIST is not set",
                 {},
                 "'salloc -N 2 oshrun PROGRAM', or sbatch; or --agent ssh"};
  if (!in_job) return {};
  if (!options.hosts.empty()) return join_named_hosts(options, by_srun);
  if (!pretended_nodes(options).empty()) return {};
  if (is_one_of_many()) {
    if (!options.quiet)
      note("srun has started " + variable("SLURM_STEP_NUM_TASKS") +
           " oshruns, and each runs a job of its own on its host; one alone, without srun, takes the whole "
           "Slurm job");
    return {};
  }
  if (auto taken = take_hosts(options); !taken) return taken;
  if (agent_is_open(options)) options.agent = "srun";
  return {};
}

}  // namespace atrium
