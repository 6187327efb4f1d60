// What it means that the other end of a link has been silent for long.
// SPDX-License-Identifier: BSD-3-Clause
//
// Both ends send something every second. When one does not, its host or the network may have failed, and then the job has to end
// soon; or its process has no CPU, or waits for a disk, and then the job has to wait. A clock cannot distinguish these cases. The
// kernel of the other host can: it answers whatever becomes of the process. The question (os/tcp_probe.hpp) goes to the port of
// ssh, which a firewall lets through where ssh reaches the host; it does not matter whether anything listens there. A process that
// was stopped is found by the guard on its own host (guard.hpp), and one that has ended by the end of the link.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "launch/io/link.hpp"
#include "os/probe.hpp"

namespace atrium {

// ATRIUM_HOST_TIMEOUT; 0: no limit.
int silence_limit_s();
// From the start of a login to the greeting of the other end. It leaves time for a second login, which finds out why none comes.
constexpr int login_limit_s = 30;
// What is to be said of an oshrun that its agent on a host, or its own guard, has given up.
Error describe_giving_up(const std::string& host, const std::string& because);
// For how long nothing has been received.
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
  Silence check(const HostLink& link, int limit_s);

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
