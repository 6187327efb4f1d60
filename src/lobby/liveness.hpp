// From which nodes a PE's endpoint has received nothing, and for how long. The launcher compares both ends of a connection.
// SPDX-License-Identifier: BSD-3-Clause
//
// A node that does not answer may be slow, stopped or dead, or the network between the two may be cut; one end alone cannot
// distinguish these. The launcher is connected to both hosts. If the silent endpoint has taken turns a moment ago, and its answer
// cannot be queued behind large data on a slow network, it has answered, so the network is cut (launch/hosts/network_watch.hpp).
//
// Thread safety: one writer, the holder of the progress lock; any number of readers in other processes.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

namespace atrium {

struct Liveness {
  struct Peer {
    uint32_t node;
    uint16_t endpoint;
  };

  // After this time without an answer a peer that was asked is reported here. TCP sends again after 0.2, 0.6, 1.4, 3 and
  // 6.2 s: a link that fails for less than 3 s ends no job.
  static constexpr uint64_t reported_after_ns = 6'500'000'000;

  std::atomic<uint64_t> turns;            // that this endpoint has taken
  std::atomic<uint64_t> newest_transfer;  // of large data: they are numbered as they begin
  std::atomic<uint64_t> oldest_transfer;  // of those that are under way; 0: none is
  std::atomic<uint64_t> silent;

  void count_turn() { turns.store(turns.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed); }
  void report_transfers(uint64_t newest, uint64_t oldest) {
    newest_transfer.store(newest, std::memory_order_relaxed);
    oldest_transfer.store(oldest, std::memory_order_relaxed);
  }
  void report_silent(Peer peer) {
    silent.store((uint64_t{peer.node} << 16 | peer.endpoint) + 1, std::memory_order_relaxed);
  }
  void report_answer() { silent.store(0, std::memory_order_relaxed); }

  // Who does not answer.
  std::optional<Peer> silent_peer() const {
    const uint64_t peer = silent.load(std::memory_order_relaxed);
    if (peer == 0) return std::nullopt;
    return Peer{static_cast<uint32_t>((peer - 1) >> 16), static_cast<uint16_t>(peer - 1)};
  }
};

}  // namespace atrium
