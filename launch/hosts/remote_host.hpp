// A host that an agent runs (agent.hpp), which a command such as ssh has started there.
// SPDX-License-Identifier: BSD-3-Clause
//
// Life.  launch(), then hello() once the agent has greeted, or failure(); then give() and, with the job's other hosts,
//        what Host says. finish() at the end, whatever happened.
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
#include "launch/io/output.hpp"

namespace atrium {

class RemoteHost final : public Host {
 public:
  RemoteHost(Loop& loop, std::string name);
  ~RemoteHost();

  struct Commands {
    std::vector<std::string> start;  // the agent
    std::vector<std::string> end;    // which is not heard (end_agent.hpp)
    std::string by_hand;             // what the user tries when the first one fails
  };
  void launch(const Commands& commands);
  const std::string& name() const { return name_; }
  const std::optional<Hello>& hello() const { return hello_; }
  const std::optional<Error>& failure() const { return failure_; }
  // What to try when it cannot be reached.
  const std::string& describe_trial() const { return by_hand_; }
  // A reason, with the last line of the command that should have started the agent.
  std::string with_what_it_said(const std::string& because) const;

  // What it shall run, and who is told of it from now on.
  void give(Order order, Output& output, HostEvents& events);
  // Standard input. `on_taken`: all its readers have what was sent last, or no reader is left.
  void take_input(std::function<void()> on_taken) { on_input_taken_ = std::move(on_taken); }
  void send_input(std::string_view bytes);
  bool wants_input() const { return input_wanted_; }
  bool input_pending() const { return input_wanted_ && input_pending_; }
  // The output has changed: it is crowded, has room again, or its reader has gone.
  void follow_output();
  // Says nothing more to the agent, which ends.
  void leave();
  // Waits for its command to end, and ends it.
  void finish();

  void start() override;
  void reap() override {}
  int running() const override { return running_; }
  bool is_running(int pe) const override;
  void signal_all(int signal) override;
  void signal_prepared(int signal) override { send_number(HostMessage::prepared, signal); }
  void look() override;
  void look_at_waits() override { link_->send(frame(HostMessage::ask_waits)); }
  void find_places() override { link_->send(frame(HostMessage::ask_places)); }
  void on_doubt(const SilentPeer& silent) override;
  void announce_exit() override { link_->send(frame(HostMessage::exits)); }
  void end() override;
  void sweep(bool in_peace) override;
  void hurry() override;
  void after_suspension() override;
  void finish_output(int pe) override;
  void deliver(const std::vector<std::string>& blobs) override;

 private:
  bool is_mine(int pe) const;
  // What the agent says of its PEs, with its host's name.
  template <class Told>
  std::vector<Told> of_mine(std::vector<Told> told) const {
    std::erase_if(told, [this](const Told& each) { return !is_mine(each.pe); });
    for (Told& each : told) each.host = name_;
    return told;
  }
  void on_frame(HostMessage kind, FrameReader& frame);
  void on_event(HostMessage kind, FrameReader& frame);
  void on_hello(FrameReader& frame);
  void on_pe_end(FrameReader& frame);
  void on_closed();
  void fail(Error error);
  void lose(Error error);
  void give_up_silent();
  void lose_silent(const std::string& because);
  void tell_slowness();
  void listen();
  void send_number(HostMessage kind, int number);
  Error describe_loss();
  Error describe_start_failure(const std::string& because, const std::string& remedy) const;

  Loop& loop_;
  std::string name_;
  std::unique_ptr<HostLink> link_;
  std::unique_ptr<AgentWatch> watch_;
  std::unique_ptr<AgentErrors> errors_;
  HostCommand command_;
  std::string command_name_, by_hand_;
  std::function<void()> on_input_taken_;
  std::optional<Hello> hello_;
  std::optional<Error> failure_;
  Order order_;
  Output* output_ = nullptr;
  HostEvents* events_ = nullptr;
  std::vector<bool> running_pes_;
  int running_ = 0;
  std::chrono::steady_clock::time_point last_tick_ = std::chrono::steady_clock::now();
  bool ending_ = false;
  bool sweeping_ = false;
  bool over_ = false;
  bool muted_[2] = {};  // output, errors: the agent knows that nobody reads it any more
  bool input_wanted_ = true;
  bool input_pending_ = false;
};

}  // namespace atrium
