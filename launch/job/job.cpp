// Starts the PEs of a job, watches them, and decides how the job ends.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/job/job.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/log.hpp"
#include "launch/hosts/guard.hpp"
#include "launch/report/deadlock.hpp"

namespace atrium {
namespace {

using namespace std::chrono_literals;

constexpr auto verdict_delay = 900ms;    // for the others to end too
constexpr auto same_request = 500ms;     // in which a signal that comes twice is one request
constexpr auto answer_rest = 5s;         // for a host to report where its PEs are, with lines
constexpr double longest_timeout = 3e9;  // seconds: longer than any job, and the clock can still add it

bool asks_to_end(int signal) {
  return signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT;
}

// Until SIGCONT comes. The kernel leaves it out in an orphaned process group, as it does with other programs; SIGSTOP it does not.
void stop_as_by_terminal() {
  sigset_t stop, before;
  sigemptyset(&stop);
  sigaddset(&stop, SIGTSTP);
  kill(getpid(), SIGTSTP);
  sigprocmask(SIG_UNBLOCK, &stop, &before);
  sigprocmask(SIG_SETMASK, &before, nullptr);
}

Loop::Milliseconds top_rest(const Options& options) {
  return std::chrono::ceil<Loop::Milliseconds>(std::chrono::duration<double>(options.recordings.top_seconds));
}

// The hosts may have taken some of the time to answer.
Loop::Milliseconds rest_until_timeout(const Options& options) {
  const std::chrono::duration<double> all(std::min(options.timeout_seconds, longest_timeout));
  const auto rest =
      std::chrono::ceil<Loop::Milliseconds>(all - (std::chrono::steady_clock::now() - options.began));
  return std::max(rest, Loop::Milliseconds(0));
}

}  // namespace

Job::Job(Loop& loop, const Options& options, bool terminal_is_taken, int nodes)
    : options_(options),
      terminal_is_taken_(terminal_is_taken),
      loop_(loop),
      signals_(loop_, [this](Arrival arrival) { on_signal(arrival); }),
      output_(loop_, options.tag_output),
      blobs_(static_cast<size_t>(nodes)),
      deadlock_watch_(loop_, options.deadlock_patience_s,
                      [this](const Judgement& judgement, const std::vector<PlacedWait>& placed) {
                        report_judgement(judgement, placed);
                      }),
      programs_gone_(static_cast<size_t>(options.pes)),
      samples_([this](std::vector<PeSample> samples) { answer(std::move(samples)); }) {}

int Job::run(std::vector<Host*> hosts, std::function<void()> pump_input) {
  hosts_ = std::move(hosts);
  pump_input_ = std::move(pump_input);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  start();
  while (phase_ != Phase::over) loop_.turn();
  announce_recording();
  output_.close();
  if (output_.loss().error != 0) warn_of_loss();
  if (user_signal_ == SIGINT && status_ == 128 + SIGINT) die_by(SIGINT);
  return status_;
}

void Job::warn_of_loss() {
  errno = output_.loss().error;
  output_.say(format_error(lost_output(output_.loss().call)));
  output_.close();
  if (status_ == 0 || status_ == 128 + SIGPIPE) status_ = 1;  // by which PEs end that can write no more
}

void Job::announce_recording() {
  if (!recording_) return;
  output_.drain();
  const Recording::Outcome outcome = recording_->finish(options_);
  if (!outcome.text.empty()) output_.say(outcome.text);
  if (outcome.failed && status_ == 0) status_ = 1;
}

void Job::show_top() {
  if (phase_ >= Phase::ending) return;
  output_.show(
      recording_->look(output_.shows_in_place() ? profile::screen_of(STDERR_FILENO) : profile::Screen{}));
  loop_.after(top_rest(options_), [this] { show_top(); });
}

void Job::start() {
  for (Host* host : hosts_)
    if (phase_ < Phase::ending) host->start();
  pump_input_();
  deadlock_watch_.start(hosts_);
  if (recording_ && options_.recordings.top_seconds > 0)
    loop_.after(top_rest(options_), [this] { show_top(); });
  if (options_.timeout_seconds > 0) loop_.after(rest_until_timeout(options_), [this] { end_at_timeout(); });
}

void Job::end_at_timeout() {
  if (phase_ >= Phase::ending) return;
  ends_after_answer_ = true;
  ask();
}

void Job::on_signal(Arrival arrival) {
  switch (arrival.signal) {
    case SIGCHLD:
      return reap();
    case SIGTSTP:
      return arrival.from_terminal && terminal_is_taken_ ? void() : suspend();
    case SIGCONT:
      signal_all(SIGCONT);
      return pump_input_();
    case SIGUSR1:
      ask();
      for (Host* host : hosts_) host->signal_prepared(SIGUSR1);
      return;
    case SIGINT:
    case SIGQUIT:
      if (arrival.from_terminal && terminal_is_taken_) return;  // meant for the debugger
      [[fallthrough]];
    default:
      pass_on(arrival.signal);
  }
}

// Where the PEs are.
void Job::ask() {
  if (!samples_.is_under_way())
    samples_.ask_within(loop_, answer_rest, hosts_,
                        [](Host& host, std::chrono::milliseconds time) { host.sample(time); });
}

void Job::answer(std::vector<PeSample> samples) {
  std::sort(samples.begin(), samples.end(), [](const PeSample& a, const PeSample& b) { return a.pe < b.pe; });
  output_.say(describe_waits(samples, options_.pes));
  if (ends_after_answer_) conclude(status_timeout, describe_timeout(options_, samples));
}

void Job::pass_on(int signal) {
  if (running() == 0 && asks_to_end(signal)) return hurry(signal);
  if (insists(signal)) {
    conclude(128 + signal, {});
    return signal_all(SIGKILL);
  }
  if (asks_to_end(signal)) {
    user_signal_ = signal;
    asked_to_end_.try_emplace(signal, std::chrono::steady_clock::now());
  }
  signal_all(signal);
  if (asks_to_end(signal)) signal_all(SIGCONT);  // a stopped process would not hear it
}

// The user asks for the end once more, because the PEs have not ended. Keys are not pressed twice by accident; the other
// signals are sent twice at once, by timeout(1), and by kernel and shell when a terminal closes.
bool Job::insists(int signal) const {
  const auto first = asked_to_end_.find(signal);
  if (first == asked_to_end_.end()) return false;
  const bool is_key = signal == SIGINT || signal == SIGQUIT;
  return is_key || std::chrono::steady_clock::now() - first->second >= same_request;
}

// The PEs have ended: either a slow reader delays the end, or their leftovers are given time for which nobody wants to
// wait for.
void Job::hurry(int signal) {
  if (phase_ == Phase::over) die_by(signal);
  for (Host* host : hosts_) host->hurry();
}

// The PEs first, so that none runs on in the background. Where nobody could let this process go on (it is the first of a container, or
// no shell with job control has started it), it does not stop, and the PEs go on.
void Job::suspend() {
  if (getpid() == 1) return;
  signal_all(SIGSTOP);
  set_suspended(true);  // it is no end of anything
  stop_as_by_terminal();
  signal_all(SIGCONT);
  set_suspended(false);
  for (Host* host : hosts_) host->after_suspension();
}

void Job::reap() {
  for (Host* host : hosts_) host->reap();
}

int Job::running() const {
  int running = 0;
  for (const Host* host : hosts_) running += host->running();
  return running;
}

bool Job::is_running(int pe) const {
  return std::any_of(hosts_.begin(), hosts_.end(), [pe](const Host* host) { return host->is_running(pe); });
}

// A PE in its exit() may take its time: the race checker prints what it has found.
bool Job::is_anyone_at_work() const {
  int at_exit = 0;
  for (int pe = 0; pe < options_.pes; ++pe)
    at_exit +=
        std::any_of(hosts_.begin(), hosts_.end(), [pe](const Host* host) { return host->is_at_exit(pe); });
  return running() > at_exit;
}

void Job::signal_all(int signal) {
  for (Host* host : hosts_) host->signal_all(signal);
}

// Those that we end ourselves have done nothing.
void Job::note_end(const EndedPe& ended) {
  const bool by_us = phase_ >= Phase::ending && ended.ending.by_signal &&
                     (ended.ending.code == SIGTERM || ended.ending.code == SIGKILL);
  if (recording_) recording_->note_end(ended.pe, by_us ? "was ended with the job" : describe(ended.ending));
}

void Job::on_pe_end(const EndedPe& ended) {
  note_end(ended);
  if (phase_ < Phase::ending) {
    switch (verdict_on(ended.ending, ended.state)) {
      case Verdict::fine:
        if (ended.state == PeState::absent) absent_ = ended;
        look_for_absence();
        break;
      case Verdict::undecided:
        defer_verdict(ended);
        break;
      case Verdict::failed:
        output_.finish_pe(ended.pe);
        const bool silent = ended.state == PeState::explained || is_expected(ended.ending);
        conclude(std::max(ended.ending.status(), 1),
                 silent ? std::nullopt : std::optional(describe_end(ended, options_)));
    }
  }
  if (running() > 0) return;
  if (phase_ == Phase::undecided) settle_verdict();
  if (phase_ < Phase::sweeping) begin_sweep();
}

// The user has asked for it, the reader of our output has gone, or races were reported: no message is needed.
bool Job::is_expected(Ending ending) const {
  if (options_.checks.races && !ending.by_signal && ending.code == status_races) return true;
  if (ending.by_signal && ending.code == SIGPIPE && output_.reader_gone(false)) return true;
  return user_signal_ != 0 && (!ending.by_signal || asks_to_end(ending.code));
}

// The script may yet return the status of its program.
void Job::on_program_end(const EndedPe& ended) {
  if (recording_) recording_->note_end(ended.pe, "ended; its script alone knows its status");
  if (phase_ >= Phase::ending) return;
  programs_gone_[static_cast<size_t>(ended.pe)] = true;
  loop_.after(verdict_delay, [this, ended] { settle_program_end(ended); });
}

// As with PEs that end without shmem_finalize: an error if others are still at work.
void Job::settle_program_end(const EndedPe& ended) {
  if (phase_ >= Phase::ending || !is_running(ended.pe)) return;
  bool alone = true;
  for (int other = 0; other < options_.pes; ++other)
    alone = alone && (!is_running(other) || programs_gone_[static_cast<size_t>(other)]);
  const bool explained = ended.state == PeState::explained;
  if (alone && !explained) return;
  output_.finish_pe(ended.pe);
  conclude(1, explained ? std::nullopt : std::optional(describe_program_end(ended, options_)));
}

void Job::defer_verdict(const EndedPe& ended) {
  if (undecided_end_) return;
  undecided_end_ = ended;
  phase_ = Phase::undecided;
  await_verdict();
}

void Job::await_verdict() {
  loop_.after(verdict_delay, [this] {
    if (phase_ == Phase::undecided) is_anyone_at_work() ? settle_verdict() : await_verdict();
  });
}

void Job::settle_verdict() {
  const Ending ending = undecided_end_->ending;
  const bool others_gone = running() == 0;
  if (others_gone && ending.code == 0) return;  // all have left in the same way
  output_.finish_pe(undecided_end_->pe);
  conclude(std::max(ending.code, 1),
           is_expected(ending) ? std::nullopt : std::optional(describe_end(*undecided_end_, options_)));
}

void Job::on_exit_request(int status) {
  if (phase_ >= Phase::ending) return;
  for (Host* host : hosts_) host->announce_exit();
  conclude(status, {});
}

void Job::on_use() {
  in_use_ = true;
  look_for_absence();
}

// Some PEs wait in shmem_init for one that will never call it.
void Job::look_for_absence() {
  if (phase_ < Phase::ending && absent_ && in_use_ && running() > 0)
    conclude(1, describe_absence(*absent_, options_));
}

void Job::report_judgement(const Judgement& judgement, const std::vector<PlacedWait>& placed) {
  const bool ends = judgement.is_deadlock && options_.checks.deadlock;
  output_.say(describe_judgement(judgement, placed, options_, ends));
  if (ends) conclude(status_deadlock, {});
}

// The host of that PE knows more.
void Job::on_silence(const SilentPeer& silent) {
  for (Host* host : hosts_)
    if (phase_ < Phase::ending) host->compare_silence(silent);
}

void Job::on_contributions(size_t nodes, NodeBlobs blobs) {
  blobs_.add(nodes, std::move(blobs));
  const auto all = blobs_.take_complete();
  for (Host* host : hosts_)
    if (all) host->deliver(*all);
}

void Job::conclude(int status, const std::optional<Error>& error) {
  if (phase_ >= Phase::ending) return;
  phase_ = Phase::ending;
  deadlock_watch_.stop();
  status_ = status;
  if (error) output_.say(format_error(*error));
  for (Host* host : hosts_) host->end();
  if (running() == 0) begin_sweep();
}

// A host that is lost while the job ends has no PE to wait for.
void Job::on_failure(int status, const Error& error) {
  conclude(status, error);
  if (running() == 0) begin_sweep();
}

void Job::begin_sweep() {
  if (phase_ >= Phase::sweeping) return;
  const bool in_peace = phase_ < Phase::ending;
  phase_ = Phase::sweeping;
  deadlock_watch_.stop();
  for (Host* host : hosts_) host->sweep(in_peace);
}

void Job::on_over(Host&) {
  if (++hosts_over_ == hosts_.size()) phase_ = Phase::over;
}

void Job::on_verbose(Host&, const std::string& text) {
  if (options_.verbose) output_.say("atrium: oshrun: " + text + "\n");
}

void Job::on_note(const std::string& text) {
  if (!options_.quiet) output_.say("atrium: oshrun: note: " + printable(text) + "\n");
}

}  // namespace atrium
