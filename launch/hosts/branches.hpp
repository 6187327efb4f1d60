// The agents that an oshrun, or an agent, starts itself: each runs one host of a part of the hosts, and reaches the others of it.
// SPDX-License-Identifier: BSD-3-Clause
//
// So the hosts of a job are the nodes of a tree, and none has more connections than the tree is wide. A host that its agent cannot
// reach (on many clusters only the first host has the keys) is reached by the oshrun that the user started, with its part.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "launch/hosts/remote_host.hpp"

namespace atrium {

// Neighbours stay together. At most `width` parts, and two more for each name that means another host to everybody
// (localhost): only the oshrun that the user started may reach it.
std::vector<HostRange> parts_of(const std::vector<std::string>& hosts, int width);

class Branches {
 public:
  // `subtree`: all hosts that are to be reached. What the follower is told is of their places. Without its on_unreached this oshrun
  // tries itself what agents cannot reach.
  Branches(Loop& loop, Subtree subtree, RemoteHost::Follower follower);

  // As many as may be under way at a time. To be called again while greetings are awaited.
  void launch_some();
  // Without those that another oshrun has to reach.
  bool all_greeted() const;
  // Why the job cannot begin; null: nothing is in the way yet.
  const Error* failure() const;
  // `order`: of all hosts.
  void give(const Order& order, FarOutput& output, HostEvents& events);
  // Those that have got an order: they, or hosts below them, have PEs.
  const std::vector<RemoteHost*>& hosts() const { return used_; }
  void leave();
  // Waits a moment for their commands to end, and ends them.
  void finish();

 private:
  struct Branch {
    HostRange part;
    std::unique_ptr<RemoteHost> host;
    bool is_given_up = false;  // another oshrun has to reach it
  };

  void add(const HostRange& part);
  void launch(RemoteHost& host);
  size_t under_way() const;
  void give_up_unreached();
  void on_unreached(const HostRange& part);
  void require_descriptors(const char* otherwise);
  std::vector<size_t> find_branches() const;

  Loop& loop_;
  const Subtree subtree_;
  const RemoteHost::Follower follower_;
  std::vector<Branch> branches_;
  size_t launched_ = 0;
  std::optional<Error> failure_;
  std::vector<RemoteHost*> used_;
};

}  // namespace atrium
