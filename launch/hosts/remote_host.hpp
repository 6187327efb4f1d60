// A host that an agent runs (agent.hpp), which a command such as ssh has started there, and the hosts that this agent reaches.
// SPDX-License-Identifier: BSD-3-Clause
//
// Life.  launch(), then all_answered() once its agents have greeted, or failure(); then give() and, with the job's other hosts,
//        what Host says. finish() at the end, whatever happened.
// Names. An agent knows the hosts that it stands for by their places in Subtree::hosts, where its own is the first.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "launch/hosts/agent_errors.hpp"
#include "launch/hosts/agent_watch.hpp"
#include "launch/hosts/host.hpp"
#include "launch/hosts/host_command.hpp"
#include "launch/hosts/messages.hpp"
#include "launch/io/link.hpp"

namespace atrium {

class RemoteHost final : public Host {
 public:
  struct Follower {
    std::function<void(size_t place, const Hello& hello)> on_greeting;
    // Its agents do not reach these hosts.
    std::function<void(const HostRange& part)> on_unreached;
  };
  RemoteHost(Loop& loop, Subtree subtree, Follower follower);
  ~RemoteHost();

  struct Commands {
    std::vector<std::string> start;  // the agent
    std::vector<std::string> end;    // which is silent (end_agent.hpp)
    std::string by_hand;             // what the user tries when the first one fails
  };
  void launch(const Commands& commands);
  const std::string& name() const { return subtree_.hosts.front(); }
  bool greeted() const { return answered_[0]; }
  // All its hosts have greeted, or cannot be reached by its agents.
  bool all_answered() const { return answers_ == answered_.size(); }
  const std::optional<Error>& failure() const { return failure_; }
  // What to try when it cannot be reached.
  const std::string& describe_trial() const { return by_hand_; }
  // A reason, with the last line of the command that should have started the agent.
  std::string with_what_it_said(const std::string& because) const;

  // What they have to run, and to whom they report from now on.
  void give(Order order, FarOutput& output, HostEvents& events);
  // Whether some of these PEs are there.
  bool has_any_of(const PeSet& pes) const;
  // Standard input. `on_taken`: all its readers have what was sent last, or no reader is left.
  void take_input(std::function<void()> on_taken) { on_input_taken_ = std::move(on_taken); }
  void send_input(std::string_view bytes);
  bool wants_input() const { return input_wanted_; }
  bool input_pending() const { return input_wanted_ && input_pending_; }
  // The output has become backlogged, is no longer so, or has lost its reader.
  void follow_output();
  // Says nothing more to the agent, which ends.
  void leave();
  // Waits until then for its command to end, and ends it.
  void finish(std::chrono::steady_clock::time_point end);

  void start() override;
  void reap() override {}
  int running() const override { return running_; }
  bool is_running(int pe) const override;
  void signal_all(int signal) override;
  void signal_prepared(int signal) override { send_number(HostMessage::prepared, signal); }
  void sample(std::chrono::milliseconds within) override;
  void sample_waits() override { link_->send(frame(HostMessage::ask_waits)); }
  void find_places() override { link_->send(frame(HostMessage::ask_places)); }
  void compare_silence(const SilentPeer& silent) override;
  void announce_exit() override { link_->send(frame(HostMessage::exits)); }
  void end() override;
  void sweep(bool in_peace) override;
  void hurry() override;
  void after_suspension() override;
  void deliver(const NodeBlobs& blobs) override { link_->send(frame_of(blobs)); }

 private:
  // Where this PE is among the hosts below; null: elsewhere.
  const HostPart* part_of(int pe) const;
  bool is_mine(int pe) const { return part_of(pe) != nullptr; }
  // What the agent reports of its PEs, with their hosts' names.
  template <class PerPe>
  std::vector<PerPe> of_mine(std::vector<PerPe> told) const {
    std::erase_if(told, [this](const PerPe& each) { return !is_mine(each.pe); });
    for (PerPe& each : told) each.host = part_of(each.pe)->name;
    return told;
  }
  void on_frame(HostMessage kind, FrameReader& frame);
  void on_event(HostMessage kind, FrameReader& frame);
  void on_output(FrameReader& frame);
  void on_hello(FrameReader& frame);
  void on_unreached(FrameReader& frame);
  void begin_to_listen(const Hello& hello);
  void on_pe_end(FrameReader& frame);
  void on_failure(FrameReader& frame);
  void on_contributions(FrameReader& frame);
  void on_over();
  void report_over();
  void on_input(HostMessage kind);
  void on_closed();
  void fail(Error error);
  void lose(Error error);
  void give_up_silent();
  void lose_silent(const std::string& because);
  void report_slowness();
  void listen();
  void send_number(HostMessage kind, int number);
  Error describe_loss();
  Error describe_start_failure(const std::string& because, const std::string& remedy) const;

  Loop& loop_;
  Subtree subtree_;
  const Follower follower_;
  std::unique_ptr<HostLink> link_;
  std::unique_ptr<AgentWatch> watch_;
  std::unique_ptr<AgentErrors> errors_;
  HostCommand command_;
  std::string command_name_, by_hand_;
  std::function<void()> on_input_taken_;
  std::vector<bool> answered_;  // by place
  size_t answers_ = 0;
  std::optional<Error> failure_;
  Order order_;
  std::vector<int> place_of_node_;  // -1: elsewhere
  FarOutput* output_ = nullptr;
  HostEvents* events_ = nullptr;
  std::vector<bool> running_pes_;
  int running_ = 0;
  std::chrono::steady_clock::time_point last_tick_ = std::chrono::steady_clock::now();
  bool ending_ = false;
  bool sweeping_ = false;
  bool over_ = false;
  bool has_reported_over_ = false;
  bool muted_[2] = {};  // output, errors: the agent knows that the reader has gone
  bool input_wanted_ = true;
  bool input_pending_ = false;
};

}  // namespace atrium
