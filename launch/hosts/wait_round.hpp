// One look at all PEs below: whether they wait, asked of their hosts.
// SPDX-License-Identifier: BSD-3-Clause
//
// While a host's PEs do anything but wait, it alone is asked.
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
  // What all have answered, with the last of the answers. Nobody has to say what he was not asked.
  std::optional<WaitLook> add(Host& host, const WaitLook& look);

 private:
  void ask(std::vector<Host*> hosts) {
    asked_ = hosts;
    for (Host* host : hosts) host->look_at_waits();
  }

  std::vector<Host*> hosts_;
  std::vector<Host*> asked_;  // and have not answered yet
  Host* busy_ = nullptr;      // had a PE that did not wait, when it was last asked
  WaitLook together_;         // what has been answered in this round
};

}  // namespace atrium
