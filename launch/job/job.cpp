// Starting, watching and ending.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/job/job.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "core/log.hpp"
#include "launch/process/leftovers.hpp"
#include "launch/report/wait_report.hpp"

namespace atrium {
namespace {

using namespace std::chrono_literals;

// All together well below the two seconds after which a job whose PE has died must be gone.
constexpr auto doubt_rest = 900ms;       // for the others to end too
constexpr auto polite_rest = 400ms;      // from SIGTERM to SIGKILL
constexpr auto look_every = 500ms;       // at the slots, for what no process's end tells us
constexpr double longest_timeout = 3e9;  // seconds, which nobody waits for and the clock can still add
constexpr auto sweep_every = 20ms;
constexpr int sweep_patience = 15;  // rounds that what a PE left behind may need to end by itself ...
constexpr int sweep_polite = 10;    // ... and then rounds between SIGTERM and SIGKILL
constexpr int sweep_rounds = 100;

// Two pipes per PE, and a few. The PEs get the old limit back.
rlimit raise_open_files(int pes) {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  rlimit raised = limit;
  raised.rlim_cur = std::min(std::max(limit.rlim_cur, static_cast<rlim_t>(3 * pes + 300)), limit.rlim_max);
  setrlimit(RLIMIT_NOFILE, &raised);
  return limit;
}

bool asks_to_end(int signal) {
  return signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT;
}

Ending ending_of(const siginfo_t& info) { return {info.si_code != CLD_EXITED, info.si_status}; }

}  // namespace

Job::Job(const Options& options, const Commands& commands, JobSegment segment, std::vector<Cpus> places)
    : options_(options),
      commands_(commands),
      segment_(std::move(segment)),
      places_(std::move(places)),
      signals_(loop_, [this](Arrival arrival) { on_signal(arrival); }),
      exchange_(loop_, segment_),
      output_(loop_, options.tag_output),
      input_(loop_, options.input, terminal_is_taken()),
      orphan_killer_(static_cast<size_t>(options.pes), segment_, job_id_),
      pes_(options.pes, orphan_killer_),
      registered_(loop_, segment_, options.pes, [this](int pe) { on_program_end(pe); }),
      programs_gone_(static_cast<size_t>(options.pes)) {}

int Job::run() {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  start();
  while (phase_ != Phase::over) loop_.turn();
  output_.close();
  if (output_.write_error() != 0) warn_of_loss();
  if (user_signal_ == SIGINT && status_ == 128 + SIGINT) die_by(SIGINT);
  return status_;
}

void Job::warn_of_loss() {
  output_.say(format_error(
      {"some output is lost", std::string("write: ") + std::strerror(output_.write_error()), {}, {}}));
  output_.close();
  if (status_ == 0 || status_ == 128 + SIGPIPE) status_ = 1;  // by which PEs end that can write no more
}

void Job::start() {
  const rlimit open_files = raise_open_files(pes_.count());
  Environment environment(options_, job_id_);
  const Pes::Start needs{commands_, environment, places_,  open_files,
                         input_,    output_,     segment_, exchange_.bell()};
  orphan_killer_.start();
  for (int pe = 0; pe < pes_.count() && phase_ == Phase::running; ++pe) {
    if (auto failure = pes_.start(pe, needs)) return conclude(failure->status, failure->error);
    chat("PE " + std::to_string(pe) + " is process " + std::to_string(pes_.pid(pe)));
  }
  input_.start();
  look_again();
  if (options_.timeout_seconds > 0)
    loop_.after(std::chrono::ceil<Loop::Milliseconds>(
                    std::chrono::duration<double>(std::min(options_.timeout_seconds, longest_timeout))),
                [this] { end_at_timeout(); });
}

void Job::end_at_timeout() {
  if (phase_ < Phase::ending) output_.say(describe_waits(segment_, pes_, registered_));
  conclude(status_timeout, describe_timeout(options_));
}

void Job::on_signal(Arrival arrival) {
  switch (arrival.signal) {
    case SIGCHLD:
      return reap();
    case SIGTSTP:
      return arrival.from_terminal && terminal_is_taken() ? void() : suspend();
    case SIGCONT:
      pes_.signal_all(SIGCONT);
      return input_.follow_foreground();
    case SIGUSR1:
      look_for_programs();
      output_.say(describe_waits(segment_, pes_, registered_));
      return pes_.signal_prepared(SIGUSR1, registered_);
    case SIGINT:
    case SIGQUIT:
      if (arrival.from_terminal && terminal_is_taken()) return;  // meant for the debugger
      [[fallthrough]];
    default:
      pass_on(arrival.signal);
  }
}

void Job::pass_on(int signal) {
  if (pes_.running() == 0 && asks_to_end(signal)) return hurry(signal);
  if (signal == SIGINT && user_signal_ == SIGINT) {
    conclude(128 + SIGINT, {});
    return pes_.signal_all(SIGKILL);
  }
  if (asks_to_end(signal)) user_signal_ = signal;
  pes_.signal_all(signal);
}

// The PEs have ended: either only a slow reader keeps us, or what they left behind is given time that nobody wants to
// wait for.
void Job::hurry(int signal) {
  if (phase_ == Phase::over) die_by(signal);
  sweep_round_ = std::max(sweep_round_, sweep_patience + sweep_polite);
}

// The PEs first, so that none runs on in the background.
void Job::suspend() {
  pes_.signal_all(SIGSTOP);
  kill(getpid(), SIGSTOP);
}

void Job::reap() {
  siginfo_t info{};
  while (pes_.running() > 0 && waitid(P_ALL, 0, &info, WEXITED | WNOHANG) == 0 && info.si_pid != 0) {
    if (info.si_pid == orphan_killer_.pid()) orphan_killer_.replace();
    if (const int pe = pes_.mark_reaped(info.si_pid); pe >= 0) on_end(pe, ending_of(info));
    info.si_pid = 0;
  }
  if (pes_.running() > 0) return;
  if (phase_ == Phase::doubtful) settle_doubt();
  if (phase_ < Phase::sweeping) begin_sweep();
}

void Job::on_end(int pe, Ending ending) {
  chat("PE " + std::to_string(pe) + " " + describe(ending));
  input_.drop(pe);
  look_around();
  if (phase_ >= Phase::ending) return;
  const EndedPe ended{pe, pes_.pid(pe), ending, segment_.state(pe)};
  switch (verdict_on(ending, ended.state)) {
    case Verdict::fine:
      if (ended.state == PeState::absent) absent_ = ended;
      return;
    case Verdict::doubtful:
      return doubt(ended);
    case Verdict::failed:
      break;
  }
  output_.finish_pe(pe);
  const bool silent = ended.state == PeState::explained || is_expected(ending);
  conclude(std::max(ending.status(), 1),
           silent ? std::nullopt : std::optional(describe_end(ended, options_)));
}

// The user has asked for it, or the reader of our output has gone: nothing to complain about.
bool Job::is_expected(Ending ending) const {
  if (ending.by_signal && ending.code == SIGPIPE && output_.reader_gone()) return true;
  return user_signal_ != 0 && (!ending.by_signal || asks_to_end(ending.code));
}

// The program of a PE has gone, and the script around it goes on: perhaps it will say the same with its own status.
void Job::on_program_end(int pe) {
  const PeState state = segment_.state(pe);
  if (phase_ >= Phase::ending || !pes_.is_running(pe) ||
      (state != PeState::running && state != PeState::explained))
    return;
  programs_gone_[static_cast<size_t>(pe)] = true;
  loop_.after(doubt_rest, [this, pe] { settle_program_end(pe); });
}

// As with PEs that end without shmem_finalize: an error if others are still at work.
void Job::settle_program_end(int pe) {
  if (phase_ >= Phase::ending || !pes_.is_running(pe)) return;
  bool alone = true;
  for (int other = 0; other < pes_.count(); ++other)
    alone = alone && (!pes_.is_running(other) || programs_gone_[static_cast<size_t>(other)]);
  const bool explained = segment_.state(pe) == PeState::explained;
  if (alone && !explained) return;
  output_.finish_pe(pe);
  const EndedPe ended{pe, registered_.program(pe, pes_.pid(pe)), {}, segment_.state(pe)};
  conclude(1, explained ? std::nullopt : std::optional(describe_program_end(ended, options_)));
}

void Job::doubt(const EndedPe& ended) {
  if (doubt_) return;
  doubt_ = ended;
  phase_ = Phase::doubtful;
  loop_.after(doubt_rest, [this] {
    if (phase_ == Phase::doubtful) settle_doubt();
  });
}

void Job::settle_doubt() {
  const Ending ending = doubt_->ending;
  const bool others_gone = pes_.running() == 0;
  if (others_gone && ending.code == 0) return;  // all have left in the same way
  output_.finish_pe(doubt_->pe);
  conclude(std::max(ending.code, 1), describe_end(*doubt_, options_));
}

// shmem_global_exit, and PEs that wait in shmem_init for one that will never come.
void Job::look_around() {
  if (phase_ >= Phase::ending) return;
  if (const auto status = segment_.exit_request()) return conclude(*status & 255, {});
  if (absent_ && pes_.running() > 0 && segment_.in_use())
    return conclude(1, describe_absence(*absent_, options_));
}

// A program in a debugger on the terminal may end and be run again.
void Job::look_for_programs() {
  for (int pe = 0; phase_ < Phase::ending && pe < pes_.count(); ++pe)
    if (pes_.is_running(pe) && (options_.wraps.empty() || !commands_.of(pe).owns_terminal))
      registered_.look(pe, pes_.pid(pe));
}

void Job::look_again() {
  look_for_programs();
  look_around();
  if (phase_ < Phase::ending) loop_.after(look_every, [this] { look_again(); });
}

void Job::conclude(int status, const std::optional<Error>& error) {
  if (phase_ >= Phase::ending) return;
  phase_ = Phase::ending;
  status_ = status;
  if (error) output_.say(format_error(*error));
  pes_.signal_all(SIGTERM);
  pes_.signal_all(SIGCONT);  // a stopped process would not hear the first
  loop_.after(polite_rest, [this] { pes_.signal_all(SIGKILL); });
  if (pes_.running() == 0) begin_sweep();
}

void Job::begin_sweep() {
  const bool in_peace = phase_ < Phase::ending;
  phase_ = Phase::sweeping;
  sweep_round_ = in_peace ? 0 : sweep_patience;
  sweep();
}

void Job::sweep() {
  const pid_t helper = orphan_killer_.pid();
  if (!has_children(helper) || sweep_round_ > sweep_rounds) {
    segment_.remove_leftovers();
    orphan_killer_.dismiss();
    phase_ = Phase::over;
    return;
  }
  if (sweep_round_ >= sweep_patience + sweep_polite)
    signal_children(SIGKILL, helper);
  else if (sweep_round_ == sweep_patience)
    signal_children(SIGTERM, helper);
  ++sweep_round_;
  loop_.after(sweep_every, [this] { sweep(); });
}

void Job::chat(const std::string& text) {
  if (options_.verbose) output_.say("atrium: oshrun: " + text + "\n");
}

bool Job::terminal_is_taken() const {
  for (int pe = 0; pe < options_.pes && !options_.wraps.empty(); ++pe)
    if (commands_.of(pe).owns_terminal) return true;
  return false;
}

}  // namespace atrium
