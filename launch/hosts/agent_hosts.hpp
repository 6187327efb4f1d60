// An agent's own host and those below it, as one: all get its orders, and their answers are put together before they are sent.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <vector>

#include "launch/hosts/answers.hpp"
#include "launch/hosts/blobs.hpp"
#include "launch/hosts/host.hpp"
#include "launch/hosts/messages.hpp"
#include "launch/hosts/wait_round.hpp"
#include "launch/io/link.hpp"

namespace atrium {

class AgentHosts {
 public:
  // `link`: to the other oshrun.
  AgentHosts(Loop& loop, HostLink& link) : loop_(loop), link_(link) {}

  // Before any host is started: how many of them have PEs.
  void set_nodes(size_t nodes) { blobs_ = Blobs(nodes); }
  // Requires: the host lives as long as this does.
  void add(Host& host) { all_.push_back(&host); }
  // After the last one.
  void complete() { waits_.set_hosts(all_); }
  bool empty() const { return all_.empty(); }
  // PEs, of all hosts.
  int running() const;

  // Orders.
  void signal_all(int signal);
  void sweep(bool in_peace);
  void sample(std::chrono::milliseconds within);
  void sample_waits() { waits_.begin(); }
  void find_places();
  // Any other one, which concerns each host.
  void pass(HostMessage kind, const FrameReader& frame);

  // Answers. The last one to a question sends them all.
  void add_samples(Host& host, std::vector<PeSample> samples);
  void add_waits(Host& host, const WaitSample& sample);
  void add_places(Host& host, std::vector<PlacedWait> placed);
  void add_contributions(size_t nodes, NodeBlobs blobs);
  // A host has no process of the job any more. Whether that was the last host.
  bool add_over() { return ++over_ == all_.size(); }

 private:
  Loop& loop_;
  HostLink& link_;
  std::vector<Host*> all_;
  size_t over_ = 0;
  WaitRound waits_;
  Answers<PlacedWait> places_{
      [this](const std::vector<PlacedWait>& placed) { link_.send(frame_of(placed)); }};
  Answers<PeSample> samples_{[this](const std::vector<PeSample>& samples) { link_.send(frame_of(samples)); }};
  Blobs blobs_{0};
};

}  // namespace atrium
