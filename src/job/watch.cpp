// Runs the watches of a node's first PE, to which the others report through the lobby what they find out.
// SPDX-License-Identifier: BSD-3-Clause
#include "job/watch.hpp"

#include <sys/random.h>

#include <atomic>
#include <memory>
#include <utility>

#include "atrium_system.hpp"
#include "core/log.hpp"
#include "core/settings.hpp"
#include "job/watch_notice.hpp"
#include "network/node_watch.hpp"
#include "os/network_interface.hpp"
#include "topology/placement.hpp"

namespace atrium {
namespace {

struct Watches {
  std::unique_ptr<NodeWatch> of_start, of_job;
};
Watches& watches() {
  static auto& both = *new Watches;  // everlasting: their threads end with the process
  return both;
}
std::atomic<uint64_t>* cut_in_lobby = nullptr;

void end_job(void*, const Error& error) { fatal(error); }

// A cut network ends a job sooner than the default of that time does; a time that the user has set is respected.
bool has_own_timeout() { return !given("ATRIUM_NET_TIMEOUT").value_or("").empty(); }

void start(NodeWatch& watch, uint64_t secret, const std::vector<std::string>& names,
           const std::vector<std::string>& hosts) {
  NodeWatchPlan plan;
  plan.node = static_cast<uint32_t>(placement.node());
  plan.secret = secret;
  plan.names = names;
  plan.hosts = hosts;
  plan.found = cut_in_lobby;
  plan.cut_off = end_job;
  watch.start(plan);
}

// Those that may be the job's.
std::vector<std::string> networks_of_host() {
  std::vector<std::string> networks = addresses_of_networks();
  const std::string wanted = setting("ATRIUM_NET_INTERFACE");
  const std::string address = address_of_interface(wanted).value_or("");
  if (!wanted.empty())
    std::erase_if(networks, [&](const std::string& network) { return !network.starts_with(address + "/"); });
  return networks;
}

}  // namespace

bool may_watch(const Bootstrap& bootstrap) { return !bootstrap.watches_hosts() && !has_own_timeout(); }

std::string introduce_watch() {
  WatchNotice notice;
  notice.host = host_name();
  if (has_own_timeout() || ::getrandom(&notice.secret, sizeof notice.secret, 0) != sizeof notice.secret)
    return notice.text();
  std::vector<std::string> addresses;
  const std::vector<std::string> networks = networks_of_host();
  for (const std::string& network : networks) addresses.push_back(address_of(network));
  watches().of_start = NodeWatch::listen(addresses);
  for (size_t i = 0; watches().of_start && i < networks.size(); ++i) {
    if (watches().of_start->names()[i].empty()) continue;
    notice.networks.push_back(networks[i]);
    notice.names.push_back(watches().of_start->names()[i]);
  }
  return notice.text();
}

void watch_start(const Bootstrap& bootstrap, LobbyVisit& lobby) {
  cut_in_lobby = &lobby.lobby().cut;
  std::vector<WatchNotice> nodes;
  std::vector<std::string> hosts;
  for (const std::string& notice : bootstrap.notices()) {
    nodes.push_back(WatchNotice::read(notice));
    hosts.push_back("node " + std::to_string(hosts.size()) + " (" + nodes.back().host + ")");
  }
  const std::vector<std::string> names = names_in_common(nodes);
  if (watches().of_start && !names.empty()) start(*watches().of_start, nodes[0].secret, names, hosts);
}

void stop_watching_start() {
  if (watches().of_start) watches().of_start->stop();
}

std::string listen_for_nodes(const std::string& address) {
  watches().of_job = NodeWatch::listen({address});
  return watches().of_job ? watches().of_job->names()[0] : "";
}

void watch_nodes(uint64_t secret, const std::vector<std::string>& names,
                 const std::vector<std::string>& hosts) {
  if (watches().of_job) start(*watches().of_job, secret, names, hosts);
}

void set_watch_paused(bool paused) {
  watches().of_start.reset();
  if (watches().of_job) watches().of_job->set_paused(paused);
}

std::vector<int> watch_threads() {
  std::vector<int> threads;
  for (const NodeWatch* watch : {watches().of_start.get(), watches().of_job.get()})
    if (watch && watch->thread() != 0) threads.push_back(watch->thread());
  return threads;
}

void end_cut_off(void*, uint32_t node, const Error& error) {
  if (cut_in_lobby)
    cut_in_lobby->store(Cut{static_cast<uint32_t>(placement.node()), node}.word(), std::memory_order_relaxed);
  end_job(nullptr, error);
}

}  // namespace atrium
