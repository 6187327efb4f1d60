// Sends each order to all hosts, and leaves out of a sample the hosts that answer too late.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/hosts/agent_hosts.hpp"

namespace atrium {
namespace {

void pass_to(Host& host, HostMessage kind, FrameReader frame) {
  switch (kind) {
    case HostMessage::prepared:
      return host.signal_prepared(frame.integer());
    case HostMessage::silence:
      return host.compare_silence(read_silent(frame));
    case HostMessage::exits:
      return host.announce_exit();
    case HostMessage::end:
      return host.end();
    case HostMessage::hurry:
      return host.hurry();
    case HostMessage::deliver:
      return host.deliver(read_blobs(frame));
    default:
      return;
  }
}

}  // namespace

int AgentHosts::running() const {
  int running = 0;
  for (const Host* host : all_) running += host->running();
  return running;
}

void AgentHosts::signal_all(int signal) {
  for (Host* host : all_) host->signal_all(signal);
}

void AgentHosts::sweep(bool in_peace) {
  for (Host* host : all_) host->sweep(in_peace);
}

void AgentHosts::sample(std::chrono::milliseconds within) {
  samples_.ask_within(loop_, within, all_,
                      [](Host& host, std::chrono::milliseconds time) { host.sample(time); });
}

void AgentHosts::find_places() {
  places_.ask(all_, [](Host& host) { host.find_places(); });
}

void AgentHosts::pass(HostMessage kind, const FrameReader& frame) {
  for (Host* host : all_) pass_to(*host, kind, frame);
}

void AgentHosts::add_samples(Host& host, std::vector<PeSample> samples) {
  samples_.add(host, std::move(samples));
}

void AgentHosts::add_waits(Host& host, const WaitSample& sample) {
  if (const auto whole = waits_.add(host, sample)) link_.send(frame_of(*whole));
}

void AgentHosts::add_places(Host& host, std::vector<PlacedWait> placed) {
  places_.add(host, std::move(placed));
}

void AgentHosts::add_contributions(size_t nodes, NodeBlobs blobs) {
  blobs_.add(nodes, std::move(blobs));
  if (const auto all = blobs_.take_complete()) link_.send(frame_of(blobs_.nodes(), *all));
}

}  // namespace atrium
