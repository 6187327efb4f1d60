// First all agents greet, then the PEs are dealt out and started.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/job/across_hosts.hpp"

#include <limits.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "core/log.hpp"
#include "core/settings.hpp"
#include "launch/cli/hosts.hpp"
#include "launch/hosts/agent.hpp"
#include "launch/hosts/agent_command.hpp"
#include "launch/hosts/end_agent.hpp"
#include "launch/hosts/guard.hpp"
#include "launch/hosts/input_sender.hpp"
#include "launch/hosts/remote_host.hpp"
#include "launch/hosts/silence.hpp"
#include "launch/job/job.hpp"
#include "launch/process/environment.hpp"
#include "os/open_files.hpp"
#include "topology/networks.hpp"

namespace atrium {
namespace {

using Hosts = std::vector<std::unique_ptr<RemoteHost>>;

// Under way at a time: name services and file servers of clusters do not bear any number.
constexpr size_t most_logins = 32;

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

std::string path_of_this_program() {
  char path[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  return length > 0 ? std::string(path, static_cast<size_t>(length)) : "oshrun";
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

size_t count_greetings(const Hosts& hosts) {
  return static_cast<size_t>(
      std::count_if(hosts.begin(), hosts.end(), [](const auto& host) { return host->hello().has_value(); }));
}

const Error* first_failure(const Hosts& hosts) {
  for (const auto& host : hosts)
    if (host->failure()) return &*host->failure();
  return nullptr;
}

void launch(RemoteHost& host, const Options& options, const std::string& oshrun) {
  const std::string number = make_job_id();  // of this agent
  host.launch({agent_command(options, host.name(), oshrun, {agent_word, number}),
               agent_command(options, host.name(), oshrun, {end_agent_word, number}),
               trial_by_hand(options, host.name())});
}

// Three pipes lead to each agent, and two more to a command that looks what keeps it.
Result<void> require_descriptors(size_t hosts) {
  constexpr size_t of_each_host = 3, of_each_login = 2, of_oshrun = 32;
  return require_open_files(hosts * of_each_host + most_logins * of_each_login + of_oshrun,
                            "cannot reach " + std::to_string(hosts) + " hosts from here", "fewer hosts");
}

Result<Hosts> contact(Loop& loop, const Options& options) {
  if (auto r = require_descriptors(options.hosts.size()); !r) return r.error();
  Hosts hosts;
  const std::string oshrun = path_of_this_program();
  for (const HostSlots& host : options.hosts) hosts.push_back(std::make_unique<RemoteHost>(loop, host.name));
  size_t launched = 0;
  while (count_greetings(hosts) < hosts.size() && !first_failure(hosts)) {
    if (launched < hosts.size() && launched - count_greetings(hosts) < most_logins)
      launch(*hosts[launched++], options, oshrun);
    else
      loop.turn();
  }
  const Error* failure = first_failure(hosts);
  if (!failure) return hosts;
  for (const auto& host : hosts) host->leave();
  return *failure;
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

// Those that have a PE, told what to run; `hosts` is in the order of options.hosts.
Result<std::vector<RemoteHost*>> deal(Options& options, const Hosts& hosts, std::vector<Order>& orders) {
  std::vector<int> cpus;
  for (const auto& host : hosts) cpus.push_back(host->hello()->cpus);
  auto host_of = deal_to_hosts(options, cpus);
  if (!host_of) return host_of.error();
  auto directory = current_directory();
  if (!directory) return directory.error();
  const std::vector<int> node_of_host = number_nodes(*host_of, hosts.size());
  std::vector<RemoteHost*> used;
  std::vector<std::vector<std::string>> networks;
  Order order{options.agent_words, variables_for_hosts(options), std::move(*directory), {}, {}, 0, *host_of};
  for (size_t host = 0; host < hosts.size(); ++host) {
    if (node_of_host[host] < 0) continue;
    order.host = hosts[host]->name();
    order.node = node_of_host[host];
    orders.push_back(order);
    used.push_back(hosts[host].get());
    networks.push_back(hosts[host]->hello()->networks);
  }
  const std::vector<std::string> addresses = addresses_in_common(networks);
  for (size_t i = 0; i < addresses.size(); ++i) orders[i].interface = addresses[i];
  return used;
}

bool reads_input(const Options& options, const Order& order) {
  for (size_t pe = 0; pe < order.node_of.size(); ++pe)
    if (order.node_of[pe] == order.node && options.input.has(static_cast<int>(pe))) return true;
  return false;
}

int run_on(Loop& loop, const Options& options, const std::vector<RemoteHost*>& hosts,
           std::vector<Order> orders) {
  Job job(loop, options, false, static_cast<int>(hosts.size()));
  std::vector<RemoteHost*> readers;
  for (size_t i = 0; i < hosts.size(); ++i) {
    if (reads_input(options, orders[i])) readers.push_back(hosts[i]);
    hosts[i]->give(std::move(orders[i]), job.output(), job);
  }
  InputSender input(loop, readers);
  job.output().tell_changes([&hosts] {
    for (RemoteHost* host : hosts) host->follow_output();
  });
  const int status = job.run({hosts.begin(), hosts.end()}, [&input] { input.pump(); });
  for (RemoteHost* host : hosts) host->leave();
  for (RemoteHost* host : hosts) host->finish();
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
  auto hosts = contact(loop, options);
  if (!hosts) return refuse(hosts.error(), 1);
  std::vector<Order> orders;
  auto used = deal(options, *hosts, orders);
  if (!used) return refuse(used.error(), status_usage);
  if (!options.quiet)
    for (const std::string& remark : options.remarks) note(remark);
  return run_on(loop, options, *used, std::move(orders));
}

}  // namespace atrium
