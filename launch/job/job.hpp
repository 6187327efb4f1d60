// Runs a job from its start to its end, and returns oshrun's exit status. What happens next is decided here alone.
// SPDX-License-Identifier: BSD-3-Clause
//
// Phases.  running    PEs are at work.
//          undecided   a PE has ended in a way that is an error only if the others go on (exit_rules.hpp): they
//                     get a moment to end too.
//          ending     the outcome is known; the PEs that still run get SIGTERM, then SIGKILL.
//          sweeping   no PE runs; processes that they started go the same way.
//          over       no process is left.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>

#include "launch/hosts/answers.hpp"
#include "launch/hosts/blobs.hpp"
#include "launch/hosts/host.hpp"
#include "launch/io/loop.hpp"
#include "launch/io/output.hpp"
#include "launch/io/signals.hpp"
#include "launch/job/deadlock_watch.hpp"
#include "launch/report/recording.hpp"

namespace atrium {

class Job final : public HostEvents {
 public:
  // Requires: `options.pes` is set. `terminal_is_taken`: a debugger of a PE has it. `nodes` of the job.
  Job(Loop& loop, const Options& options, bool terminal_is_taken, int nodes);

  // For the hosts.
  Output& output() { return output_; }

  // What the PEs record is reported when the job is over. `recording` lives as long.
  void set_recording(Recording& recording) { recording_ = &recording; }

  // Returns the exit status of oshrun.
  // `pump_input`: reads standard input as far as readers want it. When all have been told to start, and when oshrun comes to the
  // foreground again.
  int run(std::vector<Host*> hosts, std::function<void()> pump_input);

  void on_pe_end(const EndedPe& ended) override;
  void on_program_end(const EndedPe& ended) override;
  void on_exit_request(int status) override;
  void on_use() override;
  void on_failure(int status, const Error& error) override;
  void on_verbose(Host& host, const std::string& text) override;
  void on_note(const std::string& text) override;
  void on_samples(Host& host, std::vector<PeSample> samples) override {
    samples_.add(host, std::move(samples));
  }
  void on_waits(Host& host, const WaitSample& sample) override { deadlock_watch_.on_waits(host, sample); }
  void on_places(Host& host, std::vector<PlacedWait> placed) override {
    deadlock_watch_.on_places(host, std::move(placed));
  }
  void on_silence(const SilentPeer& silent) override;
  void on_contributions(size_t nodes, NodeBlobs blobs) override;
  void on_over(Host& host) override;

 private:
  enum class Phase { running, undecided, ending, sweeping, over };

  void start();
  void warn_of_loss();
  void announce_recording();
  void note_end(const EndedPe& ended);
  void show_top();
  void end_at_timeout();
  void on_signal(Arrival arrival);
  void ask();
  void answer(std::vector<PeSample> samples);
  void pass_on(int signal);
  bool insists(int signal) const;
  void hurry(int signal);
  void suspend();
  void reap();
  int running() const;
  bool is_running(int pe) const;
  bool is_anyone_at_work() const;
  void signal_all(int signal);
  void settle_program_end(const EndedPe& ended);
  void defer_verdict(const EndedPe& ended);
  void await_verdict();
  void settle_verdict();
  void look_for_absence();
  void report_judgement(const Judgement& judgement, const std::vector<PlacedWait>& placed);
  void conclude(int status, const std::optional<Error>& error);
  void begin_sweep();
  bool is_expected(Ending ending) const;

  const Options& options_;
  const bool terminal_is_taken_;
  Loop& loop_;
  Signals signals_;
  Output output_;
  Recording* recording_ = nullptr;
  std::vector<Host*> hosts_;
  std::function<void()> pump_input_;
  Blobs blobs_;
  DeadlockWatch deadlock_watch_;
  std::vector<bool> programs_gone_;  // of PEs whose script goes on
  Phase phase_ = Phase::running;
  int status_ = 0;
  size_t hosts_over_ = 0;
  int user_signal_ = 0;  // the last signal by which the user asked the job to end
  std::map<int, std::chrono::steady_clock::time_point> asked_to_end_;  // when each of them first came
  bool in_use_ = false;
  bool ends_after_answer_ = false;  // a time limit
  Answers<PeSample> samples_;       // where the PEs are
  std::optional<EndedPe> undecided_end_;
  std::optional<EndedPe> absent_;  // ended well without ever calling shmem_init
};

}  // namespace atrium
