// Whether the host of a peer that is silent is cut off, as far as one end alone can tell.
// SPDX-License-Identifier: BSD-3-Clause
//
// A cut network, a stopped PE and a slow one look the same to those who wait for an answer. But the kernel of a host answers
// for its processes: where it does, the PE is waited for; where it does not, for longer than a link may be away, neither the PE nor
// the kernel can be reached. Where no launcher of ours hears both hosts this decides. The time that the answer takes says how long
// the way is, whatever the PE does: on a long one the first message, which opens a connection, is answered late.
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
  // TCP sends what opens a connection again after 1 and 3 s: a link that is away for less than 3 s ends no job.
  static constexpr uint64_t asked_after_ns = 1'500'000'000;
  static constexpr uint64_t cut_after_ns = 4'500'000'000;  // without an answer
  static constexpr uint64_t asked_again_after_ns = 5'000'000'000;

  // Each question may stay in the queue of a stopped PE, and those are not long. So there is one in a silence; where it stands as long
  // as the silence does, a cut that comes later is found as well. That takes a connection, of which a PE keeps some only. Where a
  // launcher knows who is stopped a host is asked again and again.
  enum class Asks : uint8_t { once, standing, again };
  static constexpr size_t most_standing = 64;

  // To be called now and then while the peer is silent, and has been for so long.
  bool is_cut_off(Engine& engine, Peer peer, uint64_t silent_ns, uint64_t now_ns, Asks asks);
  bool is_standing() const { return state_ == State::content && probe_ != nullptr; }
  // The peer's kernel has answered in this silence.
  bool has_answered() const { return answered_at_ != 0; }
  // It has answered not long ago: what is silent on the same way is slow, and not cut off.
  bool is_there(uint64_t now_ns) const {
    return has_answered() && now_ns - answered_at_ < asked_again_after_ns + cut_after_ns + round_trip_ns_;
  }
  // What the last answer of the kernel took; 0: there was none.
  uint64_t round_trip_ns() const { return round_trip_ns_; }
  // The peer has been heard.
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
