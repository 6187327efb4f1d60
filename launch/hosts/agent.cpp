// The agent's side of a link between two oshruns: it obeys orders from its input and reports events on its output.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/hosts/agent.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "atrium_system.hpp"
#include "core/log.hpp"
#include "launch/hosts/agent_hosts.hpp"
#include "launch/hosts/branches.hpp"
#include "launch/hosts/guard.hpp"
#include "launch/hosts/input_branch.hpp"
#include "launch/hosts/messages.hpp"
#include "launch/hosts/preparation.hpp"
#include "launch/hosts/silence.hpp"
#include "launch/io/far_output.hpp"
#include "launch/io/link.hpp"
#include "launch/io/relay.hpp"
#include "launch/io/signals.hpp"
#include "os/network_interface.hpp"
#include "topology/cpus.hpp"

namespace atrium {
namespace {

// "NAME=value"; again where it is set already.
void set_variable(const std::string& variable) {
  const size_t equals = variable.find('=');
  if (equals == std::string::npos) return;
  setenv(variable.substr(0, equals).c_str(), variable.c_str() + equals + 1, 1);
}

constexpr auto tick = std::chrono::seconds(1);
// So many times the limit an agent waits for a silent oshrun whose host's kernel answers. Its own guard ends the agents of
// one that was stopped (guard.hpp): this is for one whose guard was stopped, too.
constexpr int slow_factor = 10;

std::string who_sends(int signal) {
  const bool slurm = std::getenv("SLURM_JOB_ID") != nullptr;
  return "somebody sent it signal " + std::to_string(signal) +
         (slurm ? ", as Slurm does at the time limit and on scancel" : "");
}

// The link gets descriptors of its own, so that nothing else reads or writes into it.
int take_stream(int fd, int flags) {
  int own = fcntl(fd, F_DUPFD_CLOEXEC, 20);
  if (own < 0) own = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);  // a small limit on open files
  if (own < 0) fatal(system_error("cannot prepare the job", "fcntl"));
  const int nothing = open("/dev/null", flags);
  dup2(nothing, fd);
  close(nothing);
  return own;
}

class Agent final : public HostEvents, public FarOutput {
 public:
  Agent()
      : signals_(loop_, [this](Arrival arrival) { on_signal(arrival); }),
        link_(loop_, take_stream(STDIN_FILENO, O_RDONLY), take_stream(STDOUT_FILENO, O_WRONLY), false,
              {[this](uint8_t kind, FrameReader& frame) { on_frame(static_cast<HostMessage>(kind), frame); },
               [this] { on_closed(); }, [this] { follow_backlog(); }}),
        relay_(loop_, [this](int pe, bool is_error, std::string_view bytes) { take(pe, is_error, bytes); }),
        input_({[this] { link_.send(frame(HostMessage::input_taken)); },
                [this] { link_.send(frame(HostMessage::input_unwanted)); }}) {}

  int run() {
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    link_.greet(agent_version());
    link_.send(frame_of(0, Hello{host_name(), usable_cpus(), addresses_of_networks()}));
    listen();
    while (!done_) {
      loop_.turn();
      reach();
    }
    if (branches_) branches_->finish();
    return status_;
  }

  // What the PEs of this host and of those below it do.
  void on_pe_end(const EndedPe& ended) override {
    if (verdict_on(ended.ending, ended.state) != Verdict::fine) relay_.finish_pe(ended.pe);
    link_.send(frame_of(HostMessage::pe_end, ended));
    if (alone_) end_here();
  }
  void on_program_end(const EndedPe& ended) override {
    link_.send(frame_of(HostMessage::program_end, ended));
  }
  void on_exit_request(int status) override {
    link_.send(frame(HostMessage::exit_request).number(static_cast<uint64_t>(status)));
  }
  void on_use() override { link_.send(frame(HostMessage::use)); }
  void on_failure(int status, const Error& error) override {
    link_.send(frame_of(status, error).number(static_cast<uint64_t>(hosts_.running())));
  }
  void on_verbose(Host& host, const std::string& text) override {
    if (options_.verbose)
      link_.send(frame(HostMessage::verbose).text(&host == here_.get() ? text + " on " + name_ : text));
  }
  void on_note(const std::string& text) override { link_.send(frame(HostMessage::note).text(text)); }
  void on_samples(Host& host, std::vector<PeSample> samples) override {
    hosts_.add_samples(host, std::move(samples));
  }
  void on_waits(Host& host, const WaitSample& sample) override { hosts_.add_waits(host, sample); }
  void on_places(Host& host, std::vector<PlacedWait> placed) override {
    hosts_.add_places(host, std::move(placed));
  }
  void on_silence(const SilentPeer& silent) override { link_.send(frame_of(silent)); }
  void on_contributions(size_t nodes, NodeBlobs blobs) override {
    hosts_.add_contributions(nodes, std::move(blobs));
  }
  // When all are, the other end closes the link.
  void on_over(Host& host) override {
    if (&host == here_.get()) {
      relay_.finish_all();
      here_is_over_ = true;
    }
    if (hosts_.add_over()) report_over();
    if (alone_ && here_is_over_) done_ = true;
  }

  // The output of PEs of hosts below.
  void add_distant(int, const std::string&) override {}
  void take(int pe, bool is_error, std::string_view bytes) override {
    link_.send(frame(HostMessage::output).number(static_cast<uint64_t>(pe)).number(is_error).text(bytes));
  }
  void say(const std::string& text) override { std::fputs(text.c_str(), stderr); }
  bool backlogged() const override { return link_.backlogged(); }
  bool reader_gone(bool of_errors) const override { return muted_[of_errors]; }

 private:
  void on_frame(HostMessage kind, FrameReader& frame) {
    has_received_ = true;
    if (!is_message(kind, frame) || (kind == HostMessage::start && started_) ||
        (kind == HostMessage::subtree && (branches_ || started_)))
      return link_.refuse();
    switch (kind) {
      case HostMessage::ping:
        return link_.send(atrium::frame(HostMessage::pong));
      case HostMessage::caller:
        return silence_.set_networks(frame.texts());
      case HostMessage::subtree:
        return reach_subtree(read_subtree(frame));
      case HostMessage::start:
        return start(read_order(frame));
      case HostMessage::sweep:
        return sweep(frame.number() != 0);
      case HostMessage::sample:
        return hosts_.sample(std::chrono::milliseconds(frame.integer()));
      case HostMessage::ask_waits:
        return hosts_.sample_waits();
      case HostMessage::ask_places:
        return hosts_.find_places();
      case HostMessage::input:
        return input_.put(frame.text());
      case HostMessage::mute:
        return mute(frame.number() != 0);
      case HostMessage::signal:
        return pass_on(frame.integer());
      default:
        hosts_.pass(kind, frame);
    }
  }

  // The hosts below are reached by agents of this one.
  void reach_subtree(Subtree subtree) {
    for (const std::string& variable : subtree.variables) set_variable(variable);
    set_limit_of_agent(silence_limit_s());
    subtree.hosts.erase(subtree.hosts.begin());
    if (subtree.hosts.empty()) return;
    hosts_below_ = subtree.hosts.size();
    branches_ = std::make_unique<Branches>(
        loop_, std::move(subtree),
        RemoteHost::Follower{
            [this](size_t place, const Hello& hello) { link_.send(frame_of(place + 1, hello)); },
            [this](const HostRange& part) {
              link_.send(frame_of(HostRange{part.first + 1, part.count}));
            }});
    reach();
  }

  void reach() {
    if (!branches_ || started_ || alone_ || lost_below_) return;
    branches_->launch_some();
    if (!branches_->failure()) return;
    lost_below_ = true;
    on_failure(1, *branches_->failure());
    branches_->leave();
  }

  void start(Order order) {
    if (lost_below_) return;  // which the other oshrun has been told
    if (order.hosts.size() != hosts_below_ + 1 || (branches_ && !branches_->all_greeted()))
      return link_.refuse();
    started_ = true;
    for (const std::string& variable : order.variables) set_variable(variable);
    set_limit_of_agent(silence_limit_s());
    const HostPart own = order.hosts.front();
    order.hosts.erase(order.hosts.begin());
    name_ = own.name;
    set_speaker("oshrun on " + name_);
    hosts_.set_nodes((own.node >= 0) + count_nodes(order.hosts));
    auto options = parse_options(order.words);
    if (!options) return refuse({options.error(), status_usage});
    options_ = std::move(*options);
    if (branches_) start_below(order);
    if (own.node >= 0) start_here(order, own);
    hosts_.complete();
  }

  static size_t count_nodes(const std::vector<HostPart>& hosts) {
    return static_cast<size_t>(
        std::count_if(hosts.begin(), hosts.end(), [](const HostPart& host) { return host.node >= 0; }));
  }

  void start_below(const Order& order) {
    branches_->give(order, *this, *this);
    for (RemoteHost* host : branches_->hosts()) {
      hosts_.add(*host);
      host->start();
    }
    input_.set_readers(branches_->hosts(), options_.input);
  }

  void start_here(const Order& order, const HostPart& own) {
    options_.pes = static_cast<int>(order.node_of.size());
    options_.interface = own.interface;
    options_.notes.clear();  // the other oshrun prints them
    if (auto entered = Preparation::enter(order.directory); !entered)
      return refuse(no_directory(entered.error()));
    if (auto entered = Preparation::enter(options_.directory); !entered)
      return refuse(no_directory(entered.error()));
    if (auto refusal = preparation_.prepare(options_, {order.node_of, own.node})) return refuse(*refusal);
    here_ = std::make_unique<LocalHost>(
        loop_,
        LocalHost::Parts{options_, preparation_.commands(), preparation_.take_segment(),
                         preparation_.take_places(), name_},
        LocalHost::Streams{input_.open_here(loop_, options_.input), relay_}, *this);
    hosts_.add(*here_);
    here_->start();
  }

  Refusal no_directory(Error error) const {
    return {error.try_this("--wdir DIRECTORY with one that every host has"), 1};
  }

  // No PE has been started here.
  void refuse(Refusal refusal) {
    refusal.error.what += " on " + name_;
    on_failure(refusal.status, refusal.error);
  }

  void pass_on(int signal) {
    suspended_ = signal == SIGSTOP || (suspended_ && signal != SIGCONT);
    hosts_.signal_all(signal);
  }

  void sweep(bool in_peace) {
    sweeping_ = true;
    if (hosts_.empty()) return report_over();
    hosts_.sweep(in_peace);
  }

  void report_over() {
    link_.send(frame(HostMessage::over));
    over_ = true;
  }

  void mute(bool is_error) {
    muted_[is_error] = true;
    relay_.close(is_error);
    follow_backlog();
  }

  void follow_backlog() {
    relay_.pause(link_.backlogged());
    if (!branches_) return;
    for (RemoteHost* host : branches_->hosts()) host->follow_output();
  }

  void on_signal(Arrival arrival) {
    if (arrival.signal == SIGCHLD) return here_ ? here_->reap() : void();
    if (arrival.signal != SIGTERM && arrival.signal != SIGINT && arrival.signal != SIGHUP) return;
    on_failure(128 + arrival.signal, {"the agent on " + name_ + " was told to end",
                                      who_sends(arrival.signal),
                                      "running the PEs of this host",
                                      {}});
    leave(128 + arrival.signal);
  }

  void on_closed() { leave(over_ ? 0 : 1); }

  // The other oshrun has ended, or is given up. The agents below find it out by the ends of their links.
  void leave(int status) {
    if (alone_) return;
    alone_ = true;
    status_ = status;
    if (branches_) branches_->leave();
    if (!here_ || here_is_over_) {
      done_ = true;
      return;
    }
    for (const bool is_error : {false, true}) relay_.close(is_error);
    here_->end();
    end_here();
  }

  // Once no PE of this host runs, what they have left behind.
  void end_here() {
    if (!here_ || here_->running() > 0) return;
    std::exchange(sweeping_, true) ? here_->hurry() : here_->sweep(false);
  }

  void listen() {
    if (!suspended_ && !over_ && !alone_ && is_given_up()) {
      report_why();
      leave(1);
    }
    loop_.after(tick, [this] { listen(); });
  }

  bool is_given_up() {
    const int limit_s = has_received_ ? silence_limit_s() : login_limit_s;
    const Silence silence = silence_.check(link_, limit_s);
    return silence == Silence::is_gone ||
           (silence == Silence::is_slow && silence_of(link_) > slow_factor * std::chrono::seconds(limit_s));
  }

  // For an oshrun that was stopped and goes on: otherwise it would find PEs that end first, and blame them.
  void report_why() {
    on_failure(1, describe_giving_up(name_, "nothing came from it for " + std::to_string(silence_limit_s()) +
                                                " seconds: it, its host or the network was stopped"));
  }

  Loop loop_;
  Signals signals_;
  HostLink link_;
  SilenceWatch silence_;
  OutputRelay relay_;
  InputBranch input_;
  Options options_;
  Preparation preparation_;
  std::unique_ptr<LocalHost> here_;     // none: this host has no PE, or could not start any
  std::unique_ptr<Branches> branches_;  // none: there is no host below
  size_t hosts_below_ = 0;
  AgentHosts hosts_{loop_, link_};  // those that have been told to start
  std::string name_ = host_name();
  bool muted_[2] = {};         // output, errors: the reader has gone
  bool has_received_ = false;  // the other oshrun
  bool started_ = false;
  bool lost_below_ = false;  // a host that had greeted, before anything was started
  bool suspended_ = false;   // by the user, who may take any time
  bool alone_ = false;
  bool sweeping_ = false;
  bool here_is_over_ = false;
  bool over_ = false;
  bool done_ = false;
  int status_ = 0;
};

}  // namespace

int be_agent() {
  set_speaker("oshrun on " + host_name());
  start_guard_of_agent(silence_limit_s());
  return Agent().run();
}

}  // namespace atrium
