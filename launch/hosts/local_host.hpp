// The PEs of this machine: started, watched, ended, and nothing left behind.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "launch/hosts/host.hpp"
#include "launch/hosts/network_watch.hpp"
#include "launch/hosts/place_finder.hpp"
#include "launch/io/loop.hpp"
#include "launch/process/bell.hpp"
#include "launch/process/commands.hpp"

namespace atrium {

class LocalHost final : public Host {
 public:
  struct Parts {
    const Options& options;
    const Commands& commands;
    JobSegment segment;
    std::vector<Cpus> places;  // by PE of the job
    std::string name;
    int record_fd = -1;  // the descriptor of what is recorded
  };
  struct Streams {
    PeInput& input;
    PeOutput& output;
  };
  // Requires: all tools of the commands are there.
  LocalHost(Loop& loop, Parts parts, Streams streams, HostEvents& events);

  void start() override;
  void reap() override;
  int running() const override { return pes_.running(); }
  bool is_running(int pe) const override { return pes_.is_running(pe); }
  bool is_at_exit(int pe) const override {
    return pes_.is_running(pe) && segment_.exits(pe) && !segment_.wait(pe);
  }
  void signal_all(int signal) override;
  void signal_prepared(int signal) override { pes_.signal_prepared(signal, registered_); }
  void sample(std::chrono::milliseconds within) override;
  void sample_waits() override;
  void find_places() override;
  void compare_silence(const SilentPeer& silent) override;
  void announce_exit() override { segment_.announce_exit(); }
  void end() override;
  void sweep(bool in_peace) override;
  void hurry() override;
  void deliver(const NodeBlobs& blobs) override;

 private:
  void on_end(int pe, Ending ending);
  void on_program_end(int pe);
  void on_bell();
  void report_samples(const std::vector<PlacedWait>& placed);
  void look_around();
  void look_for_programs();
  void look_for_stopped();
  void look_for_silence();
  void note_who_wants_the_terminal();
  void look_again();
  void sweep_round();

  Loop& loop_;
  const Options& options_;
  const Commands& commands_;
  JobSegment segment_;
  const std::string job_id_ = make_job_id();
  std::vector<Cpus> places_;
  std::string name_;
  int record_fd_;
  Streams streams_;
  HostEvents& events_;
  Bell bell_;
  OrphanKiller orphan_killer_;
  Pes pes_;
  Registered registered_;
  PlaceFinder place_finder_;  // of a deadlock
  PlaceFinder line_finder_;   // for who asks where the PEs are
  NetworkWatch network_watch_;
  std::vector<int> stopped_samples_;  // by PE: in how many samples in a row it was stopped
  bool suspended_ = false;            // by us
  bool has_noted_terminal_ = false;
  bool in_use_ = false;
  bool looking_ = false;  // a question is unanswered
  int samplings_ = 0;
  bool ending_ = false;
  int sweep_round_ = 0;
};

}  // namespace atrium
