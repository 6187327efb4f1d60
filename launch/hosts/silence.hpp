// What it means that nothing has come from the other end of a link for long.
// SPDX-License-Identifier: BSD-3-Clause
//
// Both ends say something every second. Where one does not, its host or the network may be gone, and then the job has to end
// soon; or its process has no CPU, or waits for a disk, and then it is to be waited for. No clock tells the one from the other:
// the kernel of the other host does, which answers whatever becomes of the process. The question (os/tcp_probe.hpp) goes to the
// port of ssh, which a firewall lets through where ssh reaches the host; whether anybody listens there does not matter. Of a process
// that was stopped the guard on its own host knows (guard.hpp), and of one that has ended the link.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "launch/io/link.hpp"
#include "os/probe.hpp"

namespace atrium {

// ATRIUM_HOST_TIMEOUT; 0: whatever is silent is waited for.
int silence_limit_s();
// From the start of a login to the first word of the other end, which may take a second login to find out why none comes.
constexpr int login_limit_s = 30;
// How long nothing has come.
std::chrono::steady_clock::duration silence_of(const HostLink& link);

enum class Silence {
  none,
  begins,   // for half the limit: the kernel is asked
  is_slow,  // for longer than the limit, but the kernel answers
  is_gone   // for longer than the limit, nor does the kernel answer, as far as it can be asked
};

class SilenceWatch {
 public:
  // "10.1.2.3/16" of each interface of the other end's host. An address that this host has, too, as virtual machines and containers
  // give them to every host, is not asked; one that has no others is this host.
  void set_networks(const std::vector<std::string>& networks);
  // To be called each second.
  Silence look(const HostLink& link, int limit_s);

 private:
  using Clock = std::chrono::steady_clock;

  void ask(Clock::time_point now);
  void take_answers(Clock::time_point now);
  void forget();

  std::vector<std::string> addresses_;
  bool is_this_host_ = false;                      // whose kernel always answers
  std::vector<std::unique_ptr<Probe>> questions_;  // without an answer yet
  bool asks_ = false;
  Clock::time_point asks_since_, last_asked_, last_look_, last_answer_ = Clock::time_point::min();
};

}  // namespace atrium
