// The agent's side of a link between two oshruns: it obeys orders from its input and reports events on its output.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/hosts/agent.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <memory>

#include "core/log.hpp"
#include "launch/hosts/guard.hpp"
#include "launch/hosts/messages.hpp"
#include "launch/hosts/preparation.hpp"
#include "launch/hosts/silence.hpp"
#include "launch/io/fed_input.hpp"
#include "launch/io/link.hpp"
#include "launch/io/relay.hpp"
#include "launch/io/signals.hpp"
#include "os/network_interface.hpp"
#include "topology/cpus.hpp"

namespace atrium {
namespace {

constexpr auto tick = std::chrono::seconds(1);
// So often the limit an oshrun is waited for that is not heard, but whose host's kernel answers. Its own guard ends the agents of
// one that was stopped (guard.hpp): this is for one whose guard was stopped, too.
constexpr int slow_factor = 10;

std::string host_name() {
  utsname here{};
  uname(&here);
  return here.nodename;
}

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

class Agent final : public HostEvents {
 public:
  Agent()
      : signals_(loop_, [this](Arrival arrival) { on_signal(arrival); }),
        link_(loop_, take_stream(STDIN_FILENO, O_RDONLY), take_stream(STDOUT_FILENO, O_WRONLY), false,
              {[this](uint8_t kind, FrameReader& frame) { on_frame(static_cast<HostMessage>(kind), frame); },
               [this] { on_closed(); }, [this] { relay_.pause(link_.crowded()); }}),
        relay_(loop_, [this](int pe, bool is_error, std::string_view bytes) {
          link_.send(
              frame(HostMessage::output).number(static_cast<uint64_t>(pe)).number(is_error).text(bytes));
        }) {}

  int run() {
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    link_.greet(agent_version());
    link_.send(frame_of(Hello{host_name(), usable_cpus(), addresses_of_networks()}));
    listen();
    while (!done_) loop_.turn();
    return status_;
  }

  void on_pe_end(const EndedPe& ended) override {
    if (verdict_on(ended.ending, ended.state) != Verdict::fine) relay_.finish_pe(ended.pe);
    link_.send(frame_of(HostMessage::pe_end, ended));
    if (alone_ && host_->running() == 0) host_->sweep(false);
  }
  void on_program_end(const EndedPe& ended) override {
    link_.send(frame_of(HostMessage::program_end, ended));
  }
  void on_exit_request(int status) override {
    link_.send(frame(HostMessage::exit_request).number(static_cast<uint64_t>(status)));
  }
  void on_use() override { link_.send(frame(HostMessage::use)); }
  void on_failure(int status, const Error& error) override {
    link_.send(frame_of(status, error).number(static_cast<uint64_t>(host_ ? host_->running() : 0)));
  }
  void on_chat(const std::string& text) override { link_.send(frame(HostMessage::chat).text(text)); }
  void on_note(const std::string& text) override { link_.send(frame(HostMessage::note).text(text)); }
  void on_looks(Host&, std::vector<PeLook> looks) override { link_.send(frame_of(looks)); }
  void on_waits(Host&, const WaitLook& look) override { link_.send(frame_of(look)); }
  void on_places(Host&, std::vector<PlacedWait> placed) override { link_.send(frame_of(placed)); }
  void on_silence(const SilentPeer& silent) override { link_.send(frame_of(HostMessage::silence, silent)); }
  void on_told(int node, std::string blob) override {
    link_.send(frame(HostMessage::told).number(static_cast<uint64_t>(node)).text(blob));
  }
  // Then the other end closes the link.
  void on_over() override {
    relay_.finish_all();
    link_.send(frame(HostMessage::over));
    over_ = true;
    if (alone_) done_ = true;
  }

 private:
  void on_frame(HostMessage kind, FrameReader& frame) {
    has_heard_ = true;
    if (!is_message(kind, frame) || (kind == HostMessage::start && started_)) return link_.refuse();
    if (kind == HostMessage::ping) return link_.send(atrium::frame(HostMessage::pong));
    if (kind == HostMessage::caller) return silence_.set_networks(frame.texts());
    if (kind == HostMessage::start) return start(read_order(frame));
    if (kind == HostMessage::sweep && !host_) return on_over();
    if (!host_) return;
    switch (kind) {
      case HostMessage::signal:
        return pass_on(frame.integer());
      case HostMessage::prepared:
        return host_->signal_prepared(frame.integer());
      case HostMessage::look:
        return host_->look();
      case HostMessage::ask_waits:
        return host_->look_at_waits();
      case HostMessage::ask_places:
        return host_->find_places();
      case HostMessage::doubt:
        return host_->on_doubt(read_silent(frame));
      case HostMessage::exits:
        return host_->announce_exit();
      case HostMessage::end:
        return host_->end();
      case HostMessage::sweep:
        return host_->sweep(frame.number() != 0);
      case HostMessage::hurry:
        return host_->hurry();
      case HostMessage::deliver:
        return host_->deliver(frame.texts());
      case HostMessage::input:
        return input_->put(frame.text());
      case HostMessage::mute:
        return relay_.close(frame.number() != 0);
      default:
        return;
    }
  }

  void start(Order order) {
    started_ = true;
    for (std::string& variable : order.variables) putenv(strdup(variable.c_str()));
    set_limit_of_agent(silence_limit_s());
    name_ = order.host;
    set_speaker("oshrun on " + name_);
    auto options = parse_options(order.words);
    if (!options) return refuse({options.error()});
    options_ = std::move(*options);
    options_.pes = static_cast<int>(order.node_of.size());
    options_.interface = order.interface;
    options_.remarks.clear();  // the other oshrun has said them
    if (auto entered = Preparation::enter(order.directory); !entered)
      return refuse(no_directory(entered.error()));
    if (auto entered = Preparation::enter(options_.directory); !entered)
      return refuse(no_directory(entered.error()));
    if (auto refusal = preparation_.prepare(options_, {order.node_of, order.node})) return refuse(*refusal);
    input_ = std::make_unique<FedInput>(
        loop_, options_.input,
        FedInput::Follower{[this] { link_.send(frame(HostMessage::input_taken)); },
                           [this] { link_.send(frame(HostMessage::input_unwanted)); }});
    host_ = std::make_unique<LocalHost>(
        loop_,
        LocalHost::Parts{options_, preparation_.commands(), preparation_.take_segment(),
                         preparation_.take_places(), name_},
        LocalHost::Streams{*input_, relay_}, *this);
    host_->start();
  }

  Refusal no_directory(Error error) const {
    return {error.try_this("--wdir DIRECTORY with one that every host has"), 1};
  }

  // No PE has been started.
  void refuse(Refusal refusal) {
    refusal.error.what += " on " + name_;
    on_failure(refusal.status, refusal.error);
  }

  void pass_on(int signal) {
    suspended_ = signal == SIGSTOP || (suspended_ && signal != SIGCONT);
    host_->signal_all(signal);
  }

  void on_signal(Arrival arrival) {
    if (arrival.signal == SIGCHLD) return host_ ? host_->reap() : void();
    if (arrival.signal != SIGTERM && arrival.signal != SIGINT && arrival.signal != SIGHUP) return;
    on_failure(128 + arrival.signal, {"the agent on " + name_ + " was told to end",
                                      who_sends(arrival.signal),
                                      "running the PEs of this host",
                                      {}});
    leave(128 + arrival.signal);
  }

  void on_closed() { leave(over_ ? 0 : 1); }

  // The other oshrun has gone, or will not be heard again.
  void leave(int status) {
    if (alone_) return;
    alone_ = true;
    status_ = status;
    if (!host_ || over_) {
      done_ = true;
      return;
    }
    for (const bool is_error : {false, true}) relay_.close(is_error);
    host_->end();
    if (host_->running() == 0) host_->sweep(false);
  }

  void listen() {
    if (!suspended_ && !over_ && !alone_ && is_given_up()) {
      tell_why();
      leave(1);
    }
    loop_.after(tick, [this] { listen(); });
  }

  bool is_given_up() {
    const int limit_s = has_heard_ ? silence_limit_s() : login_limit_s;
    const Silence silence = silence_.look(link_, limit_s);
    return silence == Silence::is_gone ||
           (silence == Silence::is_slow && silence_of(link_) > slow_factor * std::chrono::seconds(limit_s));
  }

  // To an oshrun that was stopped and goes on: else it would hear of PEs that end first, and blame them.
  void tell_why() {
    on_failure(1, {"host " + name_ + " has given this oshrun up",
                   "nothing was heard of it for " + std::to_string(silence_limit_s()) +
                       " seconds: it, its host or the network was stopped",
                   "running PEs there",
                   "Ctrl-Z, which stops the job with it; ATRIUM_HOST_TIMEOUT=SECONDS to wait longer"});
  }

  Loop loop_;
  Signals signals_;
  HostLink link_;
  SilenceWatch silence_;
  OutputRelay relay_;
  Options options_;
  Preparation preparation_;
  std::unique_ptr<FedInput> input_;
  std::unique_ptr<LocalHost> host_;
  std::string name_ = host_name();
  bool has_heard_ = false;  // the other oshrun
  bool started_ = false;
  bool suspended_ = false;  // by the user, who may take any time
  bool alone_ = false;
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
