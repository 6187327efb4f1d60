// After half the limit of silence, one command at a time examines the agent on its host.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/hosts/agent_watch.hpp"

#include <utility>

namespace atrium {
namespace {

constexpr int most_failed_looks = 3;  // each is a login of its own

std::string seconds_of_silence() { return std::to_string(silence_limit_s()) + " seconds"; }

}  // namespace

AgentWatch::AgentWatch(Loop& loop, std::vector<std::string> end_command,
                       std::function<void(const std::string&)> on_silence_explained)
    : loop_(loop),
      end_command_(std::move(end_command)),
      on_silence_explained_(std::move(on_silence_explained)) {}

void AgentWatch::look_after_new() {
  ender_ = std::make_unique<AgentEnder>(loop_, end_command_, on_silence_explained_);
  ender_->start(AgentEnder::Agent::is_new);
}

void AgentWatch::on_greeting(const std::vector<std::string>& networks) {
  ender_.reset();
  silence_.set_networks(networks);
}

std::optional<std::string> AgentWatch::check(const HostLink& link, bool job_ends) {
  const Silence silence = silence_.check(link, silence_limit_s());
  if (silence == Silence::none) return forget_silence(), std::nullopt;
  look_after_silent();
  return judge(silence, job_ends);
}

std::optional<std::string> AgentWatch::judge(Silence silence, bool job_ends) {
  if (silence == Silence::begins) return std::nullopt;
  const std::string received_nothing = "nothing came from its agent for " + seconds_of_silence() + ": ";
  if (!reason_.empty()) return received_nothing + reason_;
  if (silence == Silence::is_gone) return received_nothing + "the host, the network or the agent has stopped";
  if (job_ends) return received_nothing + "it does nothing while the job ends";
  if (failed_looks_ >= most_failed_looks)
    return received_nothing + "its kernel answers, but no command finds the agent there";
  is_newly_slow_ = !std::exchange(is_slow_, true);
  return std::nullopt;
}

void AgentWatch::look_after_silent() {
  if (ender_ && ender_->has_failed()) {
    ++failed_looks_;
    ender_.reset();
  }
  if (ender_) return;
  ender_ = std::make_unique<AgentEnder>(loop_, end_command_,
                                        [this](const std::string& reason) { reason_ = reason; });
  ender_->start(AgentEnder::Agent::has_greeted);
}

void AgentWatch::forget_silence() {
  ender_.reset();
  reason_.clear();
  failed_looks_ = 0;
  is_slow_ = is_newly_slow_ = false;
}

void AgentWatch::end_agent() {
  if (!ender_) ender_ = std::make_unique<AgentEnder>(loop_, end_command_, [](const std::string&) {});
  ender_->end_now();
}

void AgentWatch::finish() {
  if (ender_) ender_->finish();
}

}  // namespace atrium
