// Waits until all agents have greeted, then divides the PEs among the hosts and starts them.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/job/across_hosts.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "core/log.hpp"
#include "core/settings.hpp"
#include "launch/cli/combinations.hpp"
#include "launch/cli/hosts.hpp"
#include "launch/hosts/agent_command.hpp"
#include "launch/hosts/branches.hpp"
#include "launch/hosts/guard.hpp"
#include "launch/hosts/input_branch.hpp"
#include "launch/hosts/silence.hpp"
#include "launch/io/standard_input.hpp"
#include "launch/job/job.hpp"
#include "topology/networks.hpp"

namespace atrium {
namespace {

// Variables of these kinds go to all hosts, others with -x. (The last one srun must not see: agent_command.cpp.)
constexpr const char* passed_on[] = {
    "ATRIUM_", "SHMEM_", "SMA_", "FI_", "OMP_", "LD_LIBRARY_PATH=", "SLURM_CPUS_PER_TASK="};
constexpr const char* kept[] = {"ATRIUM_JOB_", "ATRIUM_NODES=", "ATRIUM_AGENT="};

bool starts_with_any(std::string_view entry, std::span<const char* const> beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [entry](const char* beginning) { return entry.starts_with(beginning); });
}

std::vector<std::string> variables_for_hosts(const Options& options) {
  std::vector<std::string> variables;
  for (char** entry = environ; *entry; ++entry)
    if (starts_with_any(*entry, passed_on) && !starts_with_any(*entry, kept)) variables.push_back(*entry);
  for (const Variable& variable : options.variables)
    if (const char* value = variable.value ? nullptr : std::getenv(variable.name.c_str()))
      variables.push_back(variable.name + "=" + value);
  return variables;
}

// Of the same name on all hosts. One that has been removed has none.
Result<std::string> current_directory() {
  char* path = getcwd(nullptr, 0);
  if (!path)
    return system_error("cannot tell the other hosts where to start the PEs", "getcwd")
        .try_this("starting oshrun in a directory that exists");
  std::string directory = path;
  std::free(path);
  return directory;
}

// The hosts of a job, and what their agents have said of them.
struct Contact {
  std::unique_ptr<Branches> branches;
  std::vector<Hello> hellos;  // by host
};

// srun has a tree of its own.
int width_of(const Options& options) {
  return reaches_by_srun(options) ? static_cast<int>(options.hosts.size()) : options.tree_width;
}

Subtree subtree_of(const Options& options) {
  Subtree subtree{{}, {}, options.agent, options.remote_oshrun, width_of(options)};
  if (subtree.agent.empty()) subtree.agent = setting("ATRIUM_AGENT");
  if (const auto limit = given("ATRIUM_HOST_TIMEOUT"))
    subtree.variables.push_back("ATRIUM_HOST_TIMEOUT=" + *limit);
  for (const HostSlots& host : options.hosts) subtree.hosts.push_back(host.name);
  return subtree;
}

Result<Contact> contact(Loop& loop, const Options& options) {
  Contact contact;
  contact.hellos.resize(options.hosts.size());
  Hello* const greeted = contact.hellos.data();
  contact.branches = std::make_unique<Branches>(
      loop, subtree_of(options),
      RemoteHost::Follower{[greeted](size_t host, const Hello& hello) { greeted[host] = hello; }, {}});
  Branches& branches = *contact.branches;
  while (!branches.all_greeted() && !branches.failure()) {
    branches.launch_some();
    if (!branches.failure()) loop.turn();
  }
  if (!branches.failure()) return contact;
  branches.leave();
  return *branches.failure();
}

// What is left of the hosts when those without a PE are not counted, as nodes from 0.
std::vector<int> number_nodes(std::vector<int>& host_of, size_t hosts) {
  std::vector<int> node_of_host(hosts, -1);
  int nodes = 0;
  for (size_t host = 0; host < hosts; ++host)
    if (std::find(host_of.begin(), host_of.end(), static_cast<int>(host)) != host_of.end())
      node_of_host[host] = nodes++;
  for (int& host : host_of) host = node_of_host[static_cast<size_t>(host)];
  return node_of_host;
}

// What the hosts shall run; `hellos` are in the order of options.hosts.
Result<Order> deal(Options& options, const std::vector<Hello>& hellos) {
  std::vector<int> cpus;
  for (const Hello& hello : hellos) cpus.push_back(hello.cpus);
  auto host_of = deal_to_hosts(options, cpus);
  if (!host_of) return host_of.error();
  auto directory = current_directory();
  if (!directory) return directory.error();
  const std::vector<int> node_of_host = number_nodes(*host_of, hellos.size());
  std::vector<std::vector<std::string>> networks;
  for (size_t host = 0; host < hellos.size(); ++host)
    if (node_of_host[host] >= 0) networks.push_back(hellos[host].networks);
  const std::vector<std::string> addresses = addresses_in_common(networks);
  Order order{options.agent_words, variables_for_hosts(options), std::move(*directory), *host_of, {}};
  for (size_t host = 0; host < hellos.size(); ++host) {
    const int node = node_of_host[host];
    const bool has_address = node >= 0 && !addresses.empty();
    order.hosts.push_back(
        {options.hosts[host].name, has_address ? addresses[static_cast<size_t>(node)] : "", node});
  }
  return order;
}

int count_nodes(const Order& order) {
  return *std::max_element(order.node_of.begin(), order.node_of.end()) + 1;
}

// Standard input of this oshrun, at the pace of the slowest reader: a branch without PEs of its own.
class InputSender {
 public:
  InputSender(Loop& loop, const std::vector<RemoteHost*>& hosts, const PeSet& readers)
      : branch_({[this] { pump(); }, [this] { pump(); }}),
        source_(
            loop, [this] { return branch_.wants_more(); },
            [this](std::string_view piece) { branch_.put(piece); }) {
    branch_.set_readers(hosts, readers);
  }
  void pump() { source_.pump(); }

 private:
  InputBranch branch_;
  StandardInput source_;
};

int run_on(Loop& loop, const Options& options, Branches& branches, const Order& order) {
  Job job(loop, options, false, count_nodes(order));
  branches.give(order, job.output(), job);
  const std::vector<RemoteHost*>& hosts = branches.hosts();
  InputSender input(loop, hosts, options.input);
  job.output().follow_changes([&hosts] {
    for (RemoteHost* host : hosts) host->follow_output();
  });
  const int status = job.run({hosts.begin(), hosts.end()}, [&input] { input.pump(); });
  branches.finish();
  return status;
}

int refuse(const Error& error, int status) {
  report(error);
  return status;
}

}  // namespace

int run_across_hosts(Options& options) {
  start_guard_of_oshrun(silence_limit_s());
  Loop loop;
  auto contacted = contact(loop, options);
  if (!contacted) return refuse(contacted.error(), 1);
  auto order = deal(options, contacted->hellos);
  if (!order) return refuse(order.error(), status_usage);
  if (auto exist = require_pes_exist(options); !exist) return refuse(exist.error(), status_usage);
  if (!options.quiet)
    for (const std::string& text : options.notes) note(text);
  return run_on(loop, options, *contacted->branches, *order);
}

}  // namespace atrium
