// The command that finds out why an agent is silent, and ends it (end_agent.hpp), as seen by the oshrun that has started the agent.
// SPDX-License-Identifier: BSD-3-Clause
//
// A silent link has several causes: a slow login, an agent without a CPU, or an agent that was stopped. A second login to the same
// host can distinguish them. If that login fails, too, nothing is lost.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "launch/hosts/host_command.hpp"
#include "launch/io/pipe_reader.hpp"
#include "launch/io/pipe_writer.hpp"

namespace atrium {

class AgentEnder {
 public:
  // `on_reason`: why the agent is silent. An agent that has not greeted is ended then. It must destroy nothing of the caller's.
  AgentEnder(Loop& loop, std::vector<std::string> command, std::function<void(const std::string&)> on_reason);
  ~AgentEnder();

  // Looks after the agent from now on.
  enum class Agent : bool { is_new, has_greeted };
  void start(Agent agent);
  // Without looking.
  void end_now();
  // The command has ended without a reason.
  bool has_failed() const { return has_failed_; }
  // Waits a moment for what end_now() or a reason has begun. Ends the command.
  void finish();

 private:
  void take(std::string_view bytes);

  const std::vector<std::string> words_;
  const std::function<void(const std::string&)> on_reason_;
  HostCommand command_;
  PipeWriter out_;
  PipeReader in_;
  bool ends_by_itself_ = true;
  bool ends_it_ = false;
  bool has_failed_ = false;
  std::chrono::steady_clock::time_point patience_end_;
  std::string said_;
};

}  // namespace atrium
