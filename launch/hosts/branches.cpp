// Divides the hosts among agents, and starts these.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/hosts/branches.hpp"

#include <limits.h>
#include <unistd.h>

#include <algorithm>

#include "atrium_system.hpp"
#include "launch/cli/hosts.hpp"
#include "launch/hosts/agent.hpp"
#include "launch/hosts/agent_command.hpp"
#include "launch/hosts/end_agent.hpp"
#include "launch/process/environment.hpp"
#include "os/open_files.hpp"

namespace atrium {
namespace {

using namespace std::chrono_literals;

constexpr auto finish_patience = 1s;  // for ssh to close its connection
// Under way at a time: name services and file servers of clusters do not bear any number.
constexpr size_t most_logins = 32;

template <class Element>
std::vector<Element> part_of(const std::vector<Element>& all, const HostRange& part) {
  const auto begin = all.begin() + static_cast<ptrdiff_t>(part.first);
  return {begin, begin + static_cast<ptrdiff_t>(part.count)};
}

void add_part(std::vector<HostRange>& parts, const std::vector<std::string>& hosts, size_t first,
              size_t count) {
  for (size_t host = first; host < first + count; ++host) {
    if (count == 1 || !is_this_host(hosts[host])) continue;
    if (host > first) add_part(parts, hosts, first, host - first);
    parts.push_back({host, 1});
    if (host + 1 < first + count) add_part(parts, hosts, host + 1, first + count - host - 1);
    return;
  }
  parts.push_back({first, count});
}

}  // namespace

std::vector<HostRange> parts_of(const std::vector<std::string>& hosts, int width) {
  std::vector<HostRange> parts;
  const size_t wanted = std::min(hosts.size(), static_cast<size_t>(width));
  for (size_t part = 0, first = 0; part < wanted; ++part) {
    const size_t count = hosts.size() / wanted + (part < hosts.size() % wanted);
    add_part(parts, hosts, first, count);
    first += count;
  }
  return parts;
}

Branches::Branches(Loop& loop, Subtree subtree, RemoteHost::Follower follower)
    : loop_(loop), subtree_(std::move(subtree)), follower_(std::move(follower)) {
  for (const HostRange& part : parts_of(subtree_.hosts, subtree_.width)) add(part);
  if (!follower_.on_unreached) require_descriptors("fewer hosts, or a smaller --tree-width");
}

void Branches::add(const HostRange& part) {
  Subtree below = subtree_;
  below.hosts = part_of(subtree_.hosts, part);
  const size_t first = part.first;
  branches_.push_back({part, std::make_unique<RemoteHost>(
                                 loop_, std::move(below),
                                 RemoteHost::Follower{[this, first](size_t place, const Hello& hello) {
                                                        follower_.on_greeting(first + place, hello);
                                                      },
                                                      [this, first](const HostRange& of) {
                                                        on_unreached({first + of.first, of.count});
                                                      }})});
}

void Branches::on_unreached(const HostRange& part) {
  if (follower_.on_unreached) return follower_.on_unreached(part);
  add(part);
  require_descriptors("hosts that reach each other as this one reaches them");
}

// Three pipes lead to each agent, and two more to a command that finds out why it does not answer.
void Branches::require_descriptors(const char* otherwise) {
  constexpr size_t of_each_agent = 3, of_each_login = 2, of_oshrun = 32;
  const size_t agents = branches_.size();
  auto enough = require_open_files(agents * of_each_agent + most_logins * of_each_login + of_oshrun,
                                   "cannot reach " + std::to_string(agents) + " hosts from here", otherwise);
  if (!enough && !failure_) failure_ = enough.error();
}

void Branches::launch(RemoteHost& host) {
  const std::string number = make_job_id();  // of this agent
  const std::string oshrun = path_of_this_program();
  Options options;
  options.agent = subtree_.agent;
  options.remote_oshrun = subtree_.remote_oshrun;
  host.launch({agent_command(options, host.name(), oshrun, {agent_word, number}),
               agent_command(options, host.name(), oshrun, {end_agent_word, number}),
               trial_by_hand(options, host.name())});
}

size_t Branches::under_way() const {
  return static_cast<size_t>(
      std::count_if(branches_.begin(), branches_.begin() + static_cast<ptrdiff_t>(launched_),
                    [](const Branch& branch) { return !branch.host->greeted() && !branch.is_given_up; }));
}

void Branches::launch_some() {
  give_up_unreached();
  while (launched_ < branches_.size() && under_way() < most_logins && !failure()) {
    launch(*branches_[launched_++].host);
    give_up_unreached();
  }
}

void Branches::give_up_unreached() {
  if (!follower_.on_unreached) return;
  for (Branch& branch : branches_) {
    if (branch.is_given_up || branch.host->greeted() || !branch.host->failure()) continue;
    branch.is_given_up = true;
    branch.host->leave();
    follower_.on_unreached(branch.part);
  }
}

bool Branches::all_greeted() const {
  return std::all_of(branches_.begin(), branches_.end(),
                     [](const Branch& branch) { return branch.is_given_up || branch.host->all_answered(); });
}

const Error* Branches::failure() const {
  if (failure_) return &*failure_;
  for (const Branch& branch : branches_)
    if (!branch.is_given_up && branch.host->failure()) return &*branch.host->failure();
  return nullptr;
}

// Of each host the branch that has reached it: the last one that was to try.
std::vector<size_t> Branches::find_branches() const {
  std::vector<size_t> found(subtree_.hosts.size());
  for (size_t branch = 0; branch < branches_.size(); ++branch) {
    const auto first = found.begin() + static_cast<ptrdiff_t>(branches_[branch].part.first);
    std::fill_n(first, branches_[branch].part.count, branch);
  }
  return found;
}

// To an agent, hosts that it could not reach are hosts without a PE.
void Branches::give(const Order& order, FarOutput& output, HostEvents& events) {
  const std::vector<size_t> branch_of = find_branches();
  for (size_t i = 0; i < branches_.size(); ++i) {
    const Branch& branch = branches_[i];
    Order below = order;
    below.hosts = part_of(order.hosts, branch.part);
    for (size_t place = 0; place < below.hosts.size(); ++place)
      if (branch_of[branch.part.first + place] != i) below.hosts[place].node = -1;
    if (std::all_of(below.hosts.begin(), below.hosts.end(),
                    [](const HostPart& host) { return host.node < 0; })) {
      branch.host->leave();
      continue;
    }
    branch.host->give(std::move(below), output, events);
    used_.push_back(branch.host.get());
  }
}

void Branches::leave() {
  for (const Branch& branch : branches_) branch.host->leave();
}

void Branches::finish() {
  leave();
  const auto end = std::chrono::steady_clock::now() + finish_patience;
  for (const Branch& branch : branches_) branch.host->finish(end);
}

}  // namespace atrium
