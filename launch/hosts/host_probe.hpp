// Whether another host is there, asked of its kernel: that answers for processes that are slow, blocked or without a CPU.
// SPDX-License-Identifier: BSD-3-Clause
//
// The question is a connection over TCP, which the kernel accepts or refuses, and which is closed without a word. It goes to the
// port of ssh, which a firewall lets through where ssh reaches the host; whether anybody listens there does not matter.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace atrium {

class HostProbe {
 public:
  using Clock = std::chrono::steady_clock;

  HostProbe() = default;
  HostProbe(const HostProbe&) = delete;
  HostProbe& operator=(const HostProbe&) = delete;
  ~HostProbe() { forget(); }

  // "10.1.2.3/16" of each interface of that host. An address that this host has, too, as virtual machines and containers give
  // them to every host, is not asked; one that has no others is this host.
  void set_networks(const std::vector<std::string>& networks);
  // Begins to ask, once more where it has asked before.
  void ask();
  // Takes the answers that have come.
  void look();
  // Takes back what has been asked and answered.
  void forget();
  // Its kernel has answered since then. This host's has always.
  bool has_answered_since(Clock::time_point time) const { return is_this_host_ || last_answer_ >= time; }

 private:
  void take(int error);

  std::vector<std::string> addresses_;
  bool is_this_host_ = false;
  std::vector<int> sockets_;  // that connect
  Clock::time_point last_answer_ = Clock::time_point::min();
};

}  // namespace atrium
