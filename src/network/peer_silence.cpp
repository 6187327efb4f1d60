// A silent peer is first asked for an answer, then noted to the user, then reported to the launcher, and at last given up.
// SPDX-License-Identifier: BSD-3-Clause
#include "network/peer_silence.hpp"

#include <utility>

#include "network/endpoint.hpp"

namespace atrium {
namespace {

constexpr uint64_t second = 1'000'000'000;
constexpr uint64_t note_after = 10 * second;
constexpr uint64_t ask_after = second;
constexpr uint64_t most_between_looks = 3 * second;
// In round trips: the kernel and the provider open the connection, the message is sent and answered; and one more.
constexpr uint64_t trips_to_first_answer = 4;
// Though the other host's kernel answers: a firewall on the way may have cut the connection alone.
constexpr uint64_t slow_limit = 60 * second;

// For how long a condition holds; `since` is when it was noticed, or 0 while it does not hold.
uint64_t time_of(bool holds, uint64_t& since, uint64_t now) {
  since = !holds ? 0 : since == 0 ? now : since;
  return holds ? now - since : 0;
}

}  // namespace

std::string name_of(const Channel& channel, const std::vector<std::string>& names) {
  return channel.node < names.size() ? names[channel.node] : "node " + std::to_string(channel.node);
}

PeerSilence::PeerState& PeerSilence::state(const Channel& channel) {
  if (channel.index >= states_.size()) states_.resize(channel.index + 1);
  return states_[channel.index];
}

void PeerSilence::answered(const Channel& channel) {
  PeerState& mine = state(channel);
  mine.silent_since = mine.unasked_since = 0;
  mine.is_noted = false;
  mine.host.forget();
  if (std::exchange(mine.is_reported, false)) liveness_.report_answer();
}

std::optional<PeerSilence::Verdict> PeerSilence::check(Wire& wire, Engine& engine,
                                                       const std::vector<Peer>& peers) {
  const uint64_t now = host_.now_ns();
  const uint64_t looked_at = std::exchange(looked_at_, now);
  size_t standing = 0;
  for (Channel* channel : wire.channels()) {
    if (now - looked_at > most_between_looks) answered(*channel);  // this process was stopped itself
    PeerState& mine = state(*channel);
    const bool owes = channel->owes_answer();
    const uint64_t silent = time_of(owes, mine.silent_since, now);
    const bool may_ask = host_.cut_off != nullptr || host_.liveness != nullptr;
    const bool is_cut_off =
        may_ask && mine.host.is_cut_off(engine, peers[channel->index], silent, now, asks(standing)) &&
        host_.cut_off;
    standing += mine.host.is_standing();
    if (is_cut_off || is_too_long(mine, silent)) return Verdict{channel, is_cut_off, silent};
    report(*channel, mine, silent, now);
    // Two nodes that wait for each other's next message, as in a barrier, would never find out about a cut cable.
    if (time_of(!owes && !channel->unanswered.empty(), mine.unasked_since, now) >= ask_after)
      wire.ask(*channel);
  }
  return std::nullopt;
}

HostWatch::Asks PeerSilence::asks(size_t standing) const {
  if (!host_.cut_off) return HostWatch::Asks::again;
  return standing < HostWatch::most_standing ? HostWatch::Asks::standing : HostWatch::Asks::once;
}

// A stopped process is waited for: its kernel answers, which a cut network would prevent.
bool PeerSilence::is_too_long(const PeerState& state, uint64_t silent_ns) const {
  return silent_ns > host_.timeout_ns && !(host_.cut_off && state.host.has_answered());
}

void PeerSilence::report(const Channel& channel, PeerState& state, uint64_t silent, uint64_t now) {
  const bool is_slow = state.host.is_there(now) && silent < slow_limit;
  if (silent > Liveness::reported_after_ns + trips_to_first_answer * state.host.round_trip_ns() && !is_slow) {
    state.is_reported = true;
    liveness_.report_silent({channel.node, channel.endpoint});
  }
  if (silent > note_after && !state.is_noted && host_.note) {
    state.is_noted = true;
    host_.note(host_.subject,
               name_of(channel, names_) + " has not answered for " + std::to_string(silent / second) + " s");
  }
}

}  // namespace atrium
