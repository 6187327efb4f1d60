// Whether an agent that has become silent is lost or only slow: it may have no CPU for a while, or wait for a disk.
// SPDX-License-Identifier: BSD-3-Clause
//
// The kernel of its host is asked (silence.hpp), and a second command examines the agent from there (agent_ender.hpp). A job waits
// for a slow agent as long as it takes; a job that ends does not.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "launch/hosts/agent_ender.hpp"
#include "launch/hosts/silence.hpp"

namespace atrium {

class AgentWatch {
 public:
  // `end_command` examines the agent and ends it. `on_silence_explained`: it ends an agent that has not greeted, for this reason.
  AgentWatch(Loop& loop, std::vector<std::string> end_command,
             std::function<void(const std::string&)> on_silence_explained);

  // Of an agent that should have greeted.
  void look_after_new();
  // It has greeted. Where its host's kernel can be asked: "10.1.2.3/16" of each interface.
  void on_greeting(const std::vector<std::string>& networks);
  // To be called each second. Why the agent is to be given up; nothing: it is not.
  std::optional<std::string> check(const HostLink& link, bool job_ends);
  // Has it just begun to be slow?
  bool take_slowness() { return std::exchange(is_newly_slow_, false); }
  void end_agent();
  // Waits a moment for what end_agent() has begun.
  void finish();

 private:
  std::optional<std::string> judge(Silence silence, bool job_ends);
  void look_after_silent();
  void forget_silence();

  Loop& loop_;
  const std::vector<std::string> end_command_;
  const std::function<void(const std::string&)> on_silence_explained_;
  SilenceWatch silence_;
  std::unique_ptr<AgentEnder> ender_;
  std::string reason_;    // why it is silent, as the command has found out
  int failed_looks_ = 0;  // of such commands, in this silence
  bool is_slow_ = false, is_newly_slow_ = false;
};

}  // namespace atrium
