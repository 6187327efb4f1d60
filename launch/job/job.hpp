// A job from its start to its end: the one place where it is decided what happens next.
// SPDX-License-Identifier: BSD-3-Clause
//
// Phases.  running    PEs are at work.
//          doubtful   a PE has ended in a way that is an error only if the others go on (exit_rules.hpp): they
//                     get a moment.
//          ending     the outcome is known; the PEs that still run are told to end, then killed.
//          sweeping   no PE runs; processes that they started go the same way.
//          over       no process is left.
#pragma once

#include <optional>

#include "launch/io/loop.hpp"
#include "launch/io/signals.hpp"
#include "launch/process/exchange.hpp"
#include "launch/process/job_segment.hpp"
#include "launch/process/pes.hpp"
#include "launch/report/endings.hpp"

namespace atrium {

class Job {
 public:
  // Requires: `options.pes` is set, all tools of `commands` are there.
  Job(const Options& options, const Commands& commands, JobSegment segment, std::vector<Cpus> places);

  // Returns the exit status of oshrun.
  int run();

 private:
  enum class Phase { running, doubtful, ending, sweeping, over };

  void start();
  void warn_of_loss();
  void end_at_timeout();
  void on_signal(Arrival arrival);
  void pass_on(int signal);
  void hurry(int signal);
  void suspend();
  void reap();
  void on_end(int pe, Ending ending);
  void on_program_end(int pe);
  void settle_program_end(int pe);
  void doubt(const EndedPe& ended);
  void settle_doubt();
  void look_around();
  void look_for_programs();
  void look_again();
  void conclude(int status, const std::optional<Error>& error);
  void begin_sweep();
  void sweep();
  void chat(const std::string& text);
  bool is_expected(Ending ending) const;
  bool terminal_is_taken() const;

  const Options& options_;
  const Commands& commands_;
  JobSegment segment_;
  const std::string job_id_ = make_job_id();
  std::vector<Cpus> places_;
  Loop loop_;
  Signals signals_;
  Exchange exchange_;
  Output output_;
  Input input_;
  OrphanKiller orphan_killer_;
  Pes pes_;
  Registered registered_;
  std::vector<bool> programs_gone_;  // of PEs whose script goes on
  Phase phase_ = Phase::running;
  int status_ = 0;
  int sweep_round_ = 0;
  int user_signal_ = 0;  // the last signal by which the user asked the job to end
  std::optional<EndedPe> doubt_;
  std::optional<EndedPe> absent_;  // ended well without ever calling shmem_init
};

}  // namespace atrium
