// Checks what the kernel and the lobby say of the PEs, and reports changes.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/hosts/local_host.hpp"

#include <signal.h>

#include <algorithm>

#include "launch/process/leftovers.hpp"
#include "launch/process/own_commands.hpp"
#include "os/open_files.hpp"
#include "os/process_stat.hpp"

namespace atrium {
namespace {

using namespace std::chrono_literals;

// All together well below the two seconds after which a job whose PE has died must be gone.
constexpr auto polite_rest = 400ms;  // from SIGTERM to SIGKILL
constexpr auto look_every = 500ms;   // at the slots, for changes without the end of a process
constexpr auto sweep_every = 20ms;
constexpr int sweep_patience = 15;  // rounds that what a PE left behind may need to end by itself ...
constexpr int sweep_polite = 10;    // ... and then rounds between SIGTERM and SIGKILL
constexpr int sweep_rounds = 100;
// A PE that somebody has stopped answers no other node. In so many samples in a row, so that a debugger may stop it for a moment.
constexpr int stopped_samples_until_noted = 14;

std::string describe_stopped(int pe, pid_t pid, const std::string& host) {
  const std::string number = std::to_string(pid);
  return "PE " + std::to_string(pe) + " (pid " + number + ") on " + host +
         " is stopped, and the other nodes wait for it: kill -CONT " + number +
         ", or the debugger, lets it go on";
}

// For a password, say. Each PE is a process group, and not the one that the terminal belongs to.
std::string describe_terminal(int pe, pid_t pid, const std::string& host) {
  return "PE " + std::to_string(pe) + " (pid " + std::to_string(pid) + ") on " + host +
         " is stopped by the kernel: it wants to read from the terminal itself (/dev/tty) or to change its "
         "settings; "
         "standard input reaches PEs (--stdin), and under 'setsid -w oshrun' nobody is asked there";
}

}  // namespace

LocalHost::LocalHost(Loop& loop, Parts parts, Streams streams, HostEvents& events)
    : loop_(loop),
      options_(parts.options),
      commands_(parts.commands),
      segment_(std::move(parts.segment)),
      places_(std::move(parts.places)),
      name_(std::move(parts.name)),
      record_fd_(parts.record_fd),
      streams_(streams),
      events_(events),
      bell_(loop, segment_.nodes(), [this] { on_bell(); }),
      orphan_killer_(static_cast<size_t>(options_.pes), segment_, job_id_),
      pes_(options_.pes, orphan_killer_),
      registered_(loop, segment_, options_.pes, [this](int pe) { on_program_end(pe); }),
      place_finder_(loop,
                    [this](std::vector<PlacedWait> placed) { events_.on_places(*this, std::move(placed)); }),
      line_finder_(loop, [this](const std::vector<PlacedWait>& placed) { report_samples(placed); }),
      network_watch_(segment_, options_.pes),
      stopped_samples_(static_cast<size_t>(options_.pes)) {}

void LocalHost::start() {
  Environment environment(options_, job_id_, record_fd_);
  const Pes::Start needs{commands_, environment, places_,    streams_.input,         streams_.output,
                         segment_,  bell_.fd(),  record_fd_, options_.same_addresses};
  orphan_killer_.start();
  for (int pe = 0; pe < pes_.count() && !ending_; ++pe) {
    if (!segment_.is_here(pe)) continue;
    if (auto failure = pes_.start(pe, needs)) return events_.on_failure(failure->status, failure->error);
    events_.on_verbose(*this, "PE " + std::to_string(pe) + " is process " + std::to_string(pes_.pid(pe)));
  }
  streams_.input.start();
  look_again();
}

void LocalHost::signal_all(int signal) {
  if (signal == SIGSTOP) suspended_ = true;
  if (signal == SIGCONT) suspended_ = false;
  pes_.signal_all(signal);
}

// Lines of the program take their time, and what is asked is answered without them rather than late.
void LocalHost::sample(std::chrono::milliseconds within) {
  look_for_programs();
  if (std::exchange(looking_, true)) return;
  loop_.after(within, [this, asked = ++samplings_] { asked == samplings_ ? report_samples({}) : void(); });
  line_finder_.start([this] { return place_waits(segment_, pes_, registered_); });
}

void LocalHost::report_samples(const std::vector<PlacedWait>& placed) {
  if (std::exchange(looking_, false))
    events_.on_samples(*this, sample_pes(segment_, pes_, registered_, placed));
}

// One of them is enough to know.
void LocalHost::note_who_wants_the_terminal() {
  while (const auto stopped = collect_stopped_child()) {
    const int pe = pes_.number_of(stopped->process);
    if (has_noted_terminal_ || pe < 0 || (stopped->signal != SIGTTIN && stopped->signal != SIGTTOU)) continue;
    has_noted_terminal_ = true;
    events_.on_note(describe_terminal(pe, stopped->process, name_));
  }
}

void LocalHost::reap() {
  note_who_wants_the_terminal();
  while (pes_.running() > 0) {
    const auto ended = collect_child();
    if (!ended) return;
    if (ended->process == orphan_killer_.pid()) orphan_killer_.replace();
    if (const int pe = pes_.mark_reaped(ended->process); pe >= 0) on_end(pe, ending_of(ended->status));
  }
}

void LocalHost::on_end(int pe, Ending ending) {
  events_.on_verbose(*this, "PE " + std::to_string(pe) + " " + describe(ending));
  streams_.input.drop(pe);
  look_around();
  events_.on_pe_end({pe, pes_.pid(pe), ending, segment_.state(pe), segment_.faults(pe), name_});
}

void LocalHost::on_program_end(int pe) {
  const PeState state = segment_.state(pe);
  if (ending_ || !pes_.is_running(pe) || (state != PeState::running && state != PeState::explained)) return;
  events_.on_program_end({pe, registered_.program(pe, pes_.pid(pe)), {}, state, FaultWatch::none, name_});
}

void LocalHost::on_bell() {
  NodeBlobs blobs = segment_.take_contributions();
  const size_t nodes = blobs.size();
  std::erase_if(blobs, [](const auto& blob) { return blob.second.empty(); });
  if (nodes > 0) events_.on_contributions(nodes, std::move(blobs));
}

void LocalHost::deliver(const NodeBlobs& blobs) {
  std::vector<std::string> by_node(static_cast<size_t>(segment_.nodes()));
  for (const auto& [node, blob] : blobs)
    if (node >= 0 && node < segment_.nodes()) by_node[static_cast<size_t>(node)] = blob;
  segment_.deliver(by_node);
}

// shmem_global_exit, and whether a PE has called shmem_init.
void LocalHost::look_around() {
  if (ending_) return;
  if (!in_use_ && segment_.in_use()) {
    in_use_ = true;
    events_.on_use();
  }
  if (const auto status = segment_.exit_request()) events_.on_exit_request(*status & 255);
}

// A program in a debugger on the terminal may end and be run again.
void LocalHost::look_for_programs() {
  for (int pe = 0; !ending_ && pe < pes_.count(); ++pe)
    if (pes_.is_running(pe) && (options_.wraps.empty() || !commands_.of(pe).owns_terminal))
      registered_.check(pe, pes_.pid(pe));
}

// On one node no other node waits for a stopped PE.
void LocalHost::look_for_stopped() {
  for (int pe = 0; !ending_ && segment_.nodes() > 1 && pe < pes_.count(); ++pe) {
    int& samples = stopped_samples_[static_cast<size_t>(pe)];
    const pid_t pid = registered_.program(pe, pes_.pid(pe));
    const bool counts = pes_.is_running(pe) && !suspended_ && segment_.state(pe) != PeState::left;
    samples = counts && is_stopped(stat_of(pid).state) ? samples + 1 : 0;
    if (samples == stopped_samples_until_noted) events_.on_note(describe_stopped(pe, pid, name_));
  }
}

void LocalHost::look_for_silence() {
  for (SilentPeer& silent : network_watch_.check()) {
    silent.host = name_;
    if (!ending_ && !suspended_) events_.on_silence(silent);
  }
}

void LocalHost::compare_silence(const SilentPeer& silent) {
  const int pe = silent.silent_pe;
  if (ending_ || suspended_ || !network_watch_.would_answer(pe)) return;
  const size_t limit = limit_reached_by(registered_.program(pe, pes_.pid(pe)));
  events_.on_failure(1, limit != 0 ? describe_full(silent, name_, limit) : describe_cut(silent, name_));
}

void LocalHost::find_places() {
  look_for_programs();
  place_finder_.start([this] { return place_waits(segment_, pes_, registered_); });
}

void LocalHost::look_again() {
  look_for_programs();
  look_around();
  look_for_stopped();
  look_for_silence();
  pes_.forget_empty_groups();
  if (!ending_) loop_.after(look_every, [this] { look_again(); });
}

void LocalHost::end() {
  ending_ = true;
  pes_.signal_all(SIGTERM);
  pes_.signal_all(SIGCONT);  // a stopped process would not hear the first
  loop_.after(polite_rest, [this] { pes_.signal_all(SIGKILL); });
}

void LocalHost::sweep(bool in_peace) {
  ending_ = true;
  sweep_round_ = in_peace ? 0 : sweep_patience;
  sweep_round();
}

void LocalHost::hurry() { sweep_round_ = std::max(sweep_round_, sweep_patience + sweep_polite); }

// What a PE has left behind may share its memory, and let it go.
void LocalHost::sample_waits() {
  WaitSample sample = atrium::sample_waits(segment_, pes_);
  if (sample.all_wait && has_orphans(pes_, orphan_killer_.mark())) sample = {false, 0, 0, {}};
  events_.on_waits(*this, sample);
}

void LocalHost::sweep_round() {
  const pid_t helper = orphan_killer_.pid();
  const bool any = has_leftovers(helper, pes_);
  if (!any || sweep_round_ > sweep_rounds) {
    segment_.remove_leftovers();
    if (!any) orphan_killer_.dismiss();  // else it goes on: it sees more than the children of this process
    return events_.on_over(*this);
  }
  if (sweep_round_ >= sweep_patience + sweep_polite)
    signal_leftovers(SIGKILL, helper, pes_);
  else if (sweep_round_ == sweep_patience)
    signal_leftovers(SIGTERM, helper, pes_);
  ++sweep_round_;
  loop_.after(sweep_every, [this] { sweep_round(); });
}

}  // namespace atrium
