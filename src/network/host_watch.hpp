// Whether the host of a peer that is silent is cut off, as far as one end alone can tell.
// SPDX-License-Identifier: BSD-3-Clause
//
// A PE that waits for an answer cannot distinguish a cut network, a stopped PE and a slow one. But the kernel of a host answers for
// its processes. While it answers, the PE is waited for. If it does not, for longer than a link may fail for a moment, the host
// cannot be reached. This decides where no launcher of ours is connected to both hosts. The time that the answer takes also
// measures the round trip, whatever the PE does: on a long one the first message, which opens a connection, is answered late.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/result.hpp"
#include "engine/engine.hpp"

namespace atrium {

// `from` and `to`: nodes as messages call them.
Error cannot_reach(const std::string& from, const std::string& to, const std::string& because);

class HostWatch {
 public:
  // TCP repeats the request for a connection after 1 and 3 s: a link that fails for less than 3 s ends no job.
  static constexpr uint64_t asked_after_ns = 1'500'000'000;
  static constexpr uint64_t cut_after_ns = 4'500'000'000;  // without an answer
  static constexpr uint64_t asked_again_after_ns = 5'000'000'000;

  // Each question may stay in the queue of a stopped PE, and such queues are short. So one question is asked in a silence. If it
  // stays open as long as the silence lasts, a later cut is found as well; that takes a connection, of which a PE keeps only a few.
  // Where a launcher knows which PEs are stopped, a host is asked repeatedly.
  enum class Asks : uint8_t { once, standing, again };
  static constexpr size_t most_standing = 64;

  // To be called now and then while the peer is silent, and has been for so long.
  bool is_cut_off(Engine& engine, Peer peer, uint64_t silent_ns, uint64_t now_ns, Asks asks);
  bool is_standing() const { return state_ == State::content && probe_ != nullptr; }
  // The peer's kernel has answered in this silence.
  bool has_answered() const { return answered_at_ != 0; }
  // It has answered not long ago: a silent peer on the same path is slow, and not cut off.
  bool is_there(uint64_t now_ns) const {
    return has_answered() && now_ns - answered_at_ < asked_again_after_ns + cut_after_ns + round_trip_ns_;
  }
  // How long the last answer of the kernel took; 0: there was none.
  uint64_t round_trip_ns() const { return round_trip_ns_; }
  // A message of the peer has come.
  void forget() {
    probe_.reset();
    state_ = State::not_asked;
    answered_at_ = 0;
  }

 private:
  enum class State : uint8_t { not_asked, asked, content, cannot_ask };

  bool is_to_be_asked_again(uint64_t now_ns, Asks asks);

  std::unique_ptr<Probe> probe_;
  uint64_t asked_at_ = 0;
  uint64_t answered_at_ = 0;  // in this silence; 0: it has not
  uint64_t round_trip_ns_ = 0;
  State state_ = State::not_asked;
};

}  // namespace atrium
