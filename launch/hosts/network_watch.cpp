// Compares what endpoints report with what they reported at the last check.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/hosts/network_watch.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace atrium {
namespace {

constexpr const char* during = "running a job on several nodes";

std::string describe_silence(const SilentPeer& silent) {
  return "PE " + std::to_string(silent.pe) + " has received nothing from PE " +
         std::to_string(silent.silent_pe) + " for more than " +
         std::to_string(Liveness::reported_after_ns / 1'000'000'000) + " seconds";
}

}  // namespace

NetworkWatch::NetworkWatch(const JobSegment& segment, int pes)
    : segment_(segment), endpoints_(static_cast<size_t>(pes)) {}

std::vector<SilentPeer> NetworkWatch::check() {
  std::vector<SilentPeer> silent;
  for (size_t pe = 0; segment_.nodes() > 1 && pe < endpoints_.size(); ++pe) {
    const Liveness* liveness = segment_.liveness(static_cast<int>(pe));
    if (!liveness) continue;
    Endpoint& endpoint = endpoints_[pe];
    const uint64_t before = std::exchange(endpoint.turns, liveness->turns.load(std::memory_order_relaxed));
    endpoint.steady = endpoint.turns == before ? 0 : std::min(endpoint.steady + 1, steady_checks);
    const uint64_t oldest = liveness->oldest_transfer.load(std::memory_order_relaxed);
    const uint64_t newest = liveness->newest_transfer.load(std::memory_order_relaxed);
    endpoint.slow = oldest != 0 && oldest <= std::exchange(endpoint.newest_transfer, newest);
    const auto peer = liveness->silent_peer();
    const int of = peer ? segment_.pe_of_endpoint(peer->node, peer->endpoint) : -1;
    if (of >= 0 && endpoint.steady == steady_checks) silent.push_back({static_cast<int>(pe), {}, of});
  }
  return silent;
}

bool NetworkWatch::would_answer(int pe) const {
  if (pe < 0 || static_cast<size_t>(pe) >= endpoints_.size()) return false;
  const Endpoint& endpoint = endpoints_[static_cast<size_t>(pe)];
  return endpoint.steady == steady_checks && (!endpoint.slow || segment_.liveness(pe)->silent_peer());
}

Error describe_cut(const SilentPeer& silent, const std::string& host_of_silent) {
  return {"the network between " + silent.host + " and " + host_of_silent + " is cut",
          describe_silence(silent) + ", though both run and oshrun reaches both hosts", during,
          "a look at cables, firewalls and ATRIUM_NET_INTERFACE; ATRIUM_NET_TIMEOUT=SECONDS to wait longer"};
}

Error describe_full(const SilentPeer& silent, const std::string& host_of_silent, size_t limit) {
  return {"PE " + std::to_string(silent.silent_pe) + " on " + host_of_silent + " can take no connection",
          "it has " + std::to_string(limit) + " files open, as many as it may; " + describe_silence(silent),
          during,
          "closing files that the program no longer needs, or a larger limit on open files (ulimit -n)"};
}

}  // namespace atrium
