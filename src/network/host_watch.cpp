// Opens a connection to the host, and repeats that when a router on the way reports that the host cannot be reached.
// SPDX-License-Identifier: BSD-3-Clause
#include "network/host_watch.hpp"

namespace atrium {

Error cannot_reach(const std::string& from, const std::string& to, const std::string& because) {
  return Error{to + " cannot be reached",
               because + ": the network between it and " + from + " is cut, or the host is down",
               "talking to other nodes",
               "a look at that host, cables, firewalls and ATRIUM_NET_INTERFACE; "
               "ATRIUM_NET_TIMEOUT=SECONDS to wait longer"};
}

bool HostWatch::is_cut_off(Engine& engine, Peer peer, uint64_t silent_ns, uint64_t now_ns, Asks asks) {
  if (state_ == State::content && is_to_be_asked_again(now_ns, asks)) {
    probe_.reset();
    state_ = State::not_asked;
  }
  if (silent_ns < asked_after_ns || state_ == State::content || state_ == State::cannot_ask) return false;
  if (state_ == State::not_asked) {
    asked_at_ = now_ns;
    state_ = State::asked;
  }
  if (!probe_) probe_ = engine.probe(peer);
  if (!probe_) state_ = State::cannot_ask;  // time alone decides (ATRIUM_NET_TIMEOUT)
  const Probe::Answer answer = probe_ ? probe_->look() : Probe::Answer::none_yet;
  const bool stands = answer == Probe::Answer::reachable && asks == Asks::standing;
  if (answer != Probe::Answer::none_yet && !stands) probe_.reset();
  if (answer == Probe::Answer::reachable) {
    state_ = State::content;
    answered_at_ = now_ns;
    round_trip_ns_ = now_ns - asked_at_;
  }
  return state_ == State::asked && now_ns - asked_at_ > cut_after_ns;
}

// The host has answered before. Has it stopped answering, as far as the open question shows? A connection that the other end has
// closed shows nothing.
bool HostWatch::is_to_be_asked_again(uint64_t now_ns, Asks asks) {
  const Probe::Answer answer = probe_ ? probe_->look() : Probe::Answer::none_yet;
  if (answer == Probe::Answer::unreachable) return true;
  const bool may_be = asks == Asks::again || answer == Probe::Answer::over;
  return may_be && now_ns - answered_at_ > asked_again_after_ns;
}

}  // namespace atrium
