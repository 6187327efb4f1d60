// What becomes of a node that does not answer.
// SPDX-License-Identifier: BSD-3-Clause
//
// A killed peer gives no error, and one behind a cut cable neither: time decides.
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
  // To be called now and then. `peers`: of the wire's channels. Whom nobody has asked for an answer for a while is asked.
  std::optional<Verdict> check(Wire& wire, Engine& engine, const std::vector<Peer>& peers);
  void answered(const Channel& channel);

 private:
  struct Ear {
    uint64_t silent_since = 0;   // when somebody noticed that it owes an answer; 0: it does not
    uint64_t unasked_since = 0;  // ... that something is unanswered of which nobody has asked
    bool is_noted = false;       // to the user
    bool is_reported = false;    // to the launcher
    HostWatch host;              // ... or asked, where there is none
  };

  Ear& ear(const Channel& channel);
  // Where so many questions stand already.
  HostWatch::Asks asks(size_t standing) const;
  bool is_too_long(const Ear& ear, uint64_t silent_ns) const;
  void report(const Channel& channel, Ear& ear, uint64_t silent_ns, uint64_t now_ns);

  const EndpointHost& host_;
  Liveness& liveness_;
  const std::vector<std::string>& names_;
  std::deque<Ear> ears_;  // by Channel::index
  uint64_t looked_at_ = 0;
};

}  // namespace atrium
