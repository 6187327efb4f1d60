// One sample of the waits of all PEs below, for which their hosts are asked.
// SPDX-License-Identifier: BSD-3-Clause
//
// While some PE of a host does anything but wait, that host alone is asked.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "launch/hosts/host.hpp"

namespace atrium {

class WaitRound {
 public:
  // Requires: the hosts live as long as rounds are begun.
  void set_hosts(std::vector<Host*> hosts) { hosts_ = std::move(hosts); }
  // Some hosts answer at once.
  void begin() {
    together_ = {};
    ask(busy_ ? std::vector<Host*>{busy_} : hosts_);
  }
  // All answers together, when the last of them comes.
  std::optional<WaitSample> add(Host& host, const WaitSample& sample);

 private:
  void ask(std::vector<Host*> hosts) {
    asked_ = hosts;
    for (Host* host : hosts) host->sample_waits();
  }

  std::vector<Host*> hosts_;
  std::vector<Host*> asked_;  // and have not answered yet
  Host* busy_ = nullptr;      // had a PE that did not wait, when it was last asked
  WaitSample together_;       // what has been answered in this round
};

}  // namespace atrium
