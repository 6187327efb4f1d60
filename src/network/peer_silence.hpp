// Decides what to do about a peer that does not answer.
// SPDX-License-Identifier: BSD-3-Clause
//
// Neither a killed peer nor a cut cable causes an error: time decides.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "lobby/liveness.hpp"
#include "network/host_watch.hpp"
#include "wire/wire.hpp"

namespace atrium {

struct EndpointHost;

std::string name_of(const Channel& channel, const std::vector<std::string>& names);

// Thread safety: the progress lock is held in all calls.
class PeerSilence {
 public:
  // `names`: of the nodes, as messages call them.
  PeerSilence(const EndpointHost& host, Liveness& liveness, const std::vector<std::string>& names)
      : host_(host), liveness_(liveness), names_(names) {}

  // A channel whose peer is silent for too long, or cannot be reached any more.
  struct Verdict {
    Channel* channel;
    bool is_cut_off;
    uint64_t silent_ns;
  };
  // To be called now and then. `peers`: of the wire's channels. A peer that was not asked for an answer for a while is asked.
  std::optional<Verdict> check(Wire& wire, Engine& engine, const std::vector<Peer>& peers);
  void answered(const Channel& channel);

 private:
  struct PeerState {
    uint64_t silent_since = 0;   // when it was noticed that it owes an answer; 0: it does not
    uint64_t unasked_since = 0;  // ... that a message is unanswered whose answer was not asked for
    bool is_noted = false;       // to the user
    bool is_reported = false;    // to the launcher
    HostWatch host;              // ... or asked, where there is none
  };

  PeerState& state(const Channel& channel);
  // How a host may be asked when so many questions are open.
  HostWatch::Asks asks(size_t standing) const;
  bool is_too_long(const PeerState& state, uint64_t silent_ns) const;
  void report(const Channel& channel, PeerState& state, uint64_t silent_ns, uint64_t now_ns);

  const EndpointHost& host_;
  Liveness& liveness_;
  const std::vector<std::string>& names_;
  std::deque<PeerState> states_;  // by Channel::index
  uint64_t looked_at_ = 0;
};

}  // namespace atrium
