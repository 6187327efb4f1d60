// Exchanges frames with the agent of another host, and turns them into what a Host reports of all hosts below it.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/hosts/remote_host.hpp"

#include <algorithm>

#include "launch/hosts/agent_command.hpp"
#include "launch/hosts/guard.hpp"
#include "launch/hosts/last_words.hpp"
#include "launch/hosts/silence.hpp"
#include "launch/report/endings.hpp"
#include "os/network_interface.hpp"

namespace atrium {
namespace {

using namespace std::chrono_literals;

constexpr auto tick = 1s;
constexpr auto quick_start = 10s;      // of an agent; after that a second login finds out what delays it
constexpr auto loss_patience = 200ms;  // for the command to end whose connection has
constexpr auto finish_patience = 1s;   // for ssh to close its connection

Error describe_end_by_guard(const std::string& host) {
  return describe_giving_up(
      host, "somebody had stopped it for " + std::to_string(silence_limit_s()) + " seconds (SIGSTOP)");
}

}  // namespace

RemoteHost::RemoteHost(Loop& loop, Subtree subtree, Follower follower)
    : loop_(loop),
      subtree_(std::move(subtree)),
      follower_(std::move(follower)),
      answered_(subtree_.hosts.size()) {}

RemoteHost::~RemoteHost() { finish(std::chrono::steady_clock::now() + finish_patience); }

void RemoteHost::launch(const Commands& commands) {
  command_name_ = commands.start.front();
  by_hand_ = commands.by_hand;
  auto streams = command_.start(commands.start, true);
  if (!streams) {
    Error error = streams.error();
    error.what = "cannot reach host " + name();
    return fail(error);
  }
  link_ = std::make_unique<HostLink>(loop_, streams->output, streams->input, true,
                                     HostLink::Follower{[this](uint8_t kind, FrameReader& frame) {
                                                          on_frame(static_cast<HostMessage>(kind), frame);
                                                        },
                                                        [this] { on_closed(); },
                                                        {}});
  errors_ = std::make_unique<AgentErrors>(loop_, streams->errors);
  watch_ = std::make_unique<AgentWatch>(loop_, commands.end, [this](const std::string& reason) {
    fail(describe_start_failure(reason, "the same command again"));
  });
  loop_.after(quick_start, [this] {
    if (!greeted() && !failure_) watch_->look_after_new();
  });
  loop_.after(std::chrono::seconds(login_limit_s), [this] {
    if (!greeted() && !failure_) give_up_silent();
  });
}

void RemoteHost::give_up_silent() {
  watch_->end_agent();
  const std::string silence = "it has not answered for " + std::to_string(login_limit_s) + " seconds";
  fail(describe_start_failure(with_what_it_said(silence), describe_trial()));
}

void RemoteHost::fail(Error error) {
  if (!failure_) failure_ = std::move(error);
}

void RemoteHost::give(Order order, FarOutput& output, HostEvents& events) {
  order_ = std::move(order);
  output_ = &output;
  events_ = &events;
  for (size_t place = 0; place < order_.hosts.size(); ++place) {
    const int node = order_.hosts[place].node;
    if (node < 0) continue;
    if (place_of_node_.size() <= static_cast<size_t>(node))
      place_of_node_.resize(static_cast<size_t>(node) + 1, -1);
    place_of_node_[static_cast<size_t>(node)] = static_cast<int>(place);
  }
  running_pes_.assign(order_.node_of.size(), false);
  for (size_t pe = 0; pe < order_.node_of.size(); ++pe) {
    const HostPart* part = part_of(static_cast<int>(pe));
    if (!part) continue;
    running_pes_[pe] = true;
    ++running_;
    output.add_distant(static_cast<int>(pe), part->name);
  }
}

void RemoteHost::start() {
  link_->send(frame_of(order_));
  errors_->show_to(*output_);
}

const HostPart* RemoteHost::part_of(int pe) const {
  if (pe < 0 || static_cast<size_t>(pe) >= order_.node_of.size()) return nullptr;
  const auto node = static_cast<size_t>(order_.node_of[static_cast<size_t>(pe)]);
  if (node >= place_of_node_.size() || place_of_node_[node] < 0) return nullptr;
  return &order_.hosts[static_cast<size_t>(place_of_node_[node])];
}

bool RemoteHost::has_any_of(const PeSet& pes) const {
  for (size_t pe = 0; pe < running_pes_.size(); ++pe)
    if (is_mine(static_cast<int>(pe)) && pes.has(static_cast<int>(pe))) return true;
  return false;
}

bool RemoteHost::is_running(int pe) const { return running_pes_[static_cast<size_t>(pe)]; }

void RemoteHost::send_number(HostMessage kind, int number) {
  link_->send(frame(kind).number(static_cast<uint64_t>(number)));
}

void RemoteHost::signal_all(int signal) { send_number(HostMessage::signal, signal); }

void RemoteHost::after_suspension() {
  link_->forgive_silence();
  last_tick_ = std::chrono::steady_clock::now();
}

void RemoteHost::sample(std::chrono::milliseconds within) {
  send_number(HostMessage::sample, static_cast<int>(within.count()));
}

void RemoteHost::compare_silence(const SilentPeer& silent) {
  if (is_mine(silent.silent_pe)) link_->send(frame_of(silent));
}

void RemoteHost::end() {
  ending_ = true;
  follow_output();  // what was left unread may be the news that all is over
  link_->send(frame(HostMessage::end));
}

void RemoteHost::sweep(bool in_peace) {
  ending_ = sweeping_ = true;
  follow_output();
  if (over_ || link_->closed()) return report_over();
  send_number(HostMessage::sweep, in_peace);
}

void RemoteHost::hurry() { link_->send(frame(HostMessage::hurry)); }

void RemoteHost::send_input(std::string_view bytes) {
  input_pending_ = true;
  link_->send(frame(HostMessage::input).text(bytes));
}

void RemoteHost::on_frame(HostMessage kind, FrameReader& frame) {
  if (!greeted() && link_->version() != agent_version())
    return fail({"host " + name() + " has another version of Atrium",
                 "its oshrun is " + link_->version() + ", this one " + agent_version(), "starting its agent",
                 "the same version on all hosts"});
  if (agents_were_ended_by_guard()) return lose(describe_end_by_guard(name()));
  if (!is_message(kind, frame) || (kind != HostMessage::hello && !greeted())) return link_->refuse();
  if (kind == HostMessage::hello) return on_hello(frame);
  if (kind == HostMessage::unreached) return on_unreached(frame);
  if (kind == HostMessage::failure) return on_failure(frame);
  if (events_ && kind != HostMessage::pong) on_event(kind, frame);
}

// Its own is the first.
void RemoteHost::on_hello(FrameReader& frame) {
  const auto place = static_cast<size_t>(frame.integer());
  if (place >= answered_.size() || answered_[place] || (place == 0) == greeted()) return link_->refuse();
  const Hello hello = read_hello(frame);
  answered_[place] = true;
  ++answers_;
  if (place == 0) begin_to_listen(hello);
  follower_.on_greeting(place, hello);
}

// None of them has answered otherwise.
void RemoteHost::on_unreached(FrameReader& frame) {
  const HostRange part = read_host_range(frame);
  for (size_t place = part.first; place < part.first + part.count; ++place) {
    if (place >= answered_.size() || answered_[place]) return link_->refuse();
    answered_[place] = true;
    ++answers_;
  }
  follower_.on_unreached(part);
}

void RemoteHost::begin_to_listen(const Hello& hello) {
  watch_->on_greeting(hello.networks);
  link_->send(frame(HostMessage::caller).texts(addresses_of_networks()));
  if (subtree_.hosts.size() > 1) link_->send(frame_of(subtree_));
  last_tick_ = std::chrono::steady_clock::now();
  listen();  // also while other hosts take their time to greet
}

void RemoteHost::on_event(HostMessage kind, FrameReader& frame) {
  switch (kind) {
    case HostMessage::output:
      return on_output(frame);
    case HostMessage::verbose:
      return events_->on_verbose(*this, frame.text());
    case HostMessage::note:
      return events_->on_note(frame.text());
    case HostMessage::waits: {
      WaitSample sample = read_waits(frame);
      std::erase_if(sample.waits, [this](const auto& wait) { return !is_mine(wait.first); });
      return events_->on_waits(*this, sample);
    }
    case HostMessage::places:
      return events_->on_places(*this, of_mine(read_places(frame)));
    case HostMessage::silence:
      for (const SilentPeer& silent : of_mine(std::vector{read_silent(frame)})) events_->on_silence(silent);
      return;
    case HostMessage::pe_end:
      return on_pe_end(frame);
    case HostMessage::program_end:
      for (const EndedPe& ended : of_mine(std::vector{read_ended(frame)})) events_->on_program_end(ended);
      return;
    case HostMessage::exit_request:
      return events_->on_exit_request(frame.integer());
    case HostMessage::use:
      return events_->on_use();
    case HostMessage::samples:
      return events_->on_samples(*this, of_mine(read_samples(frame)));
    case HostMessage::contributions:
      return on_contributions(frame);
    case HostMessage::over:
      return on_over();
    case HostMessage::input_taken:
    case HostMessage::input_unwanted:
      return on_input(kind);
    default:
      return;
  }
}

void RemoteHost::on_output(FrameReader& frame) {
  const int pe = frame.integer();
  if (!is_mine(pe)) return;
  const bool is_error = frame.number() != 0;
  output_->take(pe, is_error, frame.text());
  follow_output();
}

// While agents are being started it is one that cannot be.
void RemoteHost::on_failure(FrameReader& frame) {
  const int status = frame.integer();
  const Error error = read_error(frame);
  if (!events_) return fail(error);
  running_ = std::clamp(frame.integer(), 0, running_);
  events_->on_failure(status, error);
}

void RemoteHost::on_contributions(FrameReader& frame) {
  const auto nodes = static_cast<size_t>(frame.integer());
  NodeBlobs blobs = read_blobs(frame);
  std::erase_if(blobs, [this](const auto& blob) {
    const auto node = static_cast<size_t>(blob.first);
    return node >= place_of_node_.size() || place_of_node_[node] < 0;
  });
  events_->on_contributions(nodes, std::move(blobs));
}

void RemoteHost::on_over() {
  if (over_) return link_->refuse();
  over_ = true;
  running_ = 0;
  link_->close_out();
  if (sweeping_) report_over();  // else another process has told it to end
}

void RemoteHost::report_over() {
  if (!std::exchange(has_reported_over_, true)) events_->on_over(*this);
}

void RemoteHost::on_input(HostMessage kind) {
  input_pending_ = false;
  if (kind == HostMessage::input_unwanted) input_wanted_ = false;
  if (on_input_taken_) on_input_taken_();
}

void RemoteHost::on_pe_end(FrameReader& frame) {
  for (const EndedPe& ended : of_mine(std::vector{read_ended(frame)})) {
    if (!is_running(ended.pe)) return;
    running_pes_[static_cast<size_t>(ended.pe)] = false;
    running_ = std::max(running_ - 1, 0);
    events_->on_pe_end(ended);
  }
}

// While the reader of our output is slow, this host's PEs wait; when it has gone, they find a closed pipe.
void RemoteHost::follow_output() {
  if (!output_ || link_->closed()) return;
  for (const bool is_error : {false, true})
    if (output_->reader_gone(is_error) && !std::exchange(muted_[is_error], true))
      send_number(HostMessage::mute, is_error);
  link_->pause(output_->backlogged() && !ending_);
}

void RemoteHost::listen() {
  if (over_ || failure_) return;
  if (agents_were_ended_by_guard()) return lose(describe_end_by_guard(name()));
  follow_output();
  const auto now = std::chrono::steady_clock::now();
  const auto pause = now - std::exchange(last_tick_, now);
  // Stopped, it has heard nobody: what agents that have given it up have said (agent.cpp) is still to be read.
  if (pause > 2 * tick) link_->forgive_silence();
  if (const auto because = watch_->check(*link_, ending_)) return lose_silent(*because);
  if (watch_->take_slowness()) report_slowness();
  link_->send(frame(HostMessage::ping));
  loop_.after(tick, [this] { listen(); });
}

// Its agent may run or be stopped: the guard that would end it there can have been stopped with it.
void RemoteHost::lose_silent(const std::string& because) {
  watch_->end_agent();
  lose({"host " + name() + " does not answer", because, "running PEs there; the others are ended",
        "pinging it; ATRIUM_HOST_TIMEOUT=SECONDS to wait longer"});
}

void RemoteHost::report_slowness() {
  if (events_)
    events_->on_note(
        "nothing has come from the agent on host " + name() + " for " + std::to_string(silence_limit_s()) +
        " seconds, but the host answers: the agent waits for a CPU or a disk, and the job for it");
}

Error RemoteHost::describe_loss() {
  int status = 0;
  const bool ended = command_.ends_by(std::chrono::steady_clock::now() + loss_patience, status);
  const Ending ending = ending_of(status);
  std::string because = link_->received_nonsense() ? "what came from its agent makes no sense"
                        : ended                    ? command_name_ + " " + describe(ending)
                                                   : "the connection was closed";
  if (greeted())
    return {"host " + name() + " is lost", because, "running PEs there; the others are ended",
            "looking whether the host runs, and has memory left"};
  const std::string remedy = ended && oshrun_is_missing_there(ending, errors_->text())
                                 ? "installing Atrium there at the same path as here, or --remote-oshrun PATH"
                                 : describe_trial() + "; --agent COMMAND for another way there";
  return describe_start_failure(with_what_it_said(because), remedy);
}

std::string RemoteHost::with_what_it_said(const std::string& because) const {
  return errors_ ? with_last_words(because, errors_->text()) : because;
}

Error RemoteHost::describe_start_failure(const std::string& because, const std::string& remedy) const {
  return {"cannot start the agent on host " + name(), because, {}, remedy};
}

void RemoteHost::on_closed() {
  if (over_) return;
  errors_->drain();
  lose(agents_were_ended_by_guard() ? describe_end_by_guard(name()) : describe_loss());
}

void RemoteHost::lose(Error error) {
  if (failure_) return;
  if (!events_) return fail(std::move(error));
  failure_ = error;
  link_->close();
  command_.kill();
  running_ = 0;
  running_pes_.assign(running_pes_.size(), false);
  events_->on_failure(1, error);
  if (sweeping_) report_over();
}

void RemoteHost::leave() {
  if (link_) link_->close_out();
}

void RemoteHost::finish(std::chrono::steady_clock::time_point end) {
  leave();
  int status = 0;
  if (greeted()) command_.ends_by(end, status);
  if (watch_) watch_->finish();
  command_.end();
}

}  // namespace atrium
