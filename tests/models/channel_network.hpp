// A network between wires under the explorer: whatever an engine's contract allows (src/engine/engine.hpp).
// SPDX-License-Identifier: BSD-3-Clause
//
// A message moves when its sender's step has put it on the line, and comes when a look of the receiver has seen it there:
// how long it takes is a matter of who is scheduled. Which of the lines a poll takes from, and how much, is a choice;
// so is a refusal, as often as the scenario allows.
#pragma once

#include <algorithm>
#include <atomic>
#include <deque>
#include <string>

#include "model.hpp"
#include "wire/wire.hpp"

namespace atrium {

inline constexpr int most_nodes = 3, most_threads = 5;

// A message, or what a write puts at a place.
struct Carried {
  std::string bytes;
  char* place;
};

// From one node to another.
struct Line {
  std::atomic<uint64_t> carried{0};
  std::deque<Carried> messages;  // all, from the first one on
  uint64_t taken = 0;
  uint64_t seen[most_threads] = {};  // by the receiver's threads
  uint64_t lost_from = ~uint64_t{0};

  void carry(const void* data, size_t bytes, char* place = nullptr) {
    carried.fetch_add(1, std::memory_order_acq_rel);
    messages.push_back({std::string(static_cast<const char*>(data), bytes), place});
  }
  // Whether there is something that nobody has taken.
  bool has_news() {
    seen[model::this_thread()] = carried.object.look(std::source_location::current());
    return may_take();
  }
  bool may_take() const { return taken < std::min(seen[model::this_thread()], lost_from); }
  // A step of its own, for what depends on how much was carried and taken.
  void meet() { carried.fetch_add(0, std::memory_order_acq_rel); }
};

struct Network {
  Line lines[most_nodes][most_nodes];
  char* memory[most_nodes] = {};  // for writes
  bool closed[most_nodes] = {};
};

// What varies between scenarios.
struct NetworkConditions {
  bool keeps_messages = false;  // until the sender polls: only then they are on the line
  int refusals = 0;             // so many posts of a node may be refused
  int holds = 0;        // so often what is kept stays so until the sender rests, however often it polls
  bool closes = false;  // nodes will be closed while others are open
  bool sends_after_writes = false;  // as EngineTraits has it: a write goes by the line of messages
};

// A node's door to the network.
class Card {
 public:
  Card(Network& network, uint32_t me, const NetworkConditions& conditions)
      : network_(network), me_(me), conditions_(conditions) {}

  PostOutcome send(Message& message) {
    if (refuses()) return PostOutcome::refused;
    if (!conditions_.keeps_messages) return carry(message), PostOutcome::copied;
    kept_.push_back({&message, {}});
    return PostOutcome::kept;
  }
  PostOutcome move(const Part& part) {
    if (refuses()) return PostOutcome::refused;
    if (conditions_.sends_after_writes && part.transfer->is_write) {
      const uint32_t to = part.transfer->channel->node;
      network_.lines[me_][to].carry(part.local, part.bytes, network_.memory[to] + part.place);
      return PostOutcome::copied;
    }
    kept_.push_back({nullptr, part});
    return PostOutcome::kept;
  }

  // Returns how much has come.
  int poll(Wire& wire) {
    int count = 0;
    refused_ = false;
    if (!held_ && !kept_.empty() && conditions_.holds > 0 && model::choose(2) == 1)
      held_ = true, --conditions_.holds;
    for (; !held_ && !kept_.empty(); ++count) {
      const Kept first = kept_.front();
      kept_.pop_front();
      finish(wire, first);
    }
    while (receive(wire, count > 0)) ++count;
    return count;
  }

  // As connections do: what has not gone is forgotten; a peer of whom something is unread is told of an error, and what
  // it has not read either is lost.
  void close() {
    network_.closed[me_] = true;
    for (int peer = 0; peer < most_nodes; ++peer) {
      Line &in = network_.lines[peer][me_], &out = network_.lines[me_][peer];
      in.meet();
      out.meet();
      if (in.taken < in.messages.size()) out.lost_from = out.taken;
    }
  }

  void let_go() { held_ = false; }

  // Whether another poll would do something. Only loads: it is the condition of a wait.
  bool has_news() {
    bool news = refused_ || !kept_.empty();
    for (auto& lines : network_.lines) news |= lines[me_].has_news();
    return news;
  }

 private:
  struct Kept {
    Message* message;  // or
    Part part;
  };

  bool refuses() {
    if (conditions_.refusals == 0 || model::choose(2) == 0) return false;
    --conditions_.refusals;
    return refused_ = true;
  }
  // Its answer would be an error, at whatever time.
  void carry(const Message& message) {
    const uint32_t to = message.channel->node;
    network_.lines[me_][to].carry(message.bytes, message.used);
    MODEL_REQUIRE(!network_.closed[to]);
  }
  void finish(Wire& wire, const Kept& kept) {
    if (kept.message) return carry(*kept.message), wire.let_go(*kept.message);
    const Part& part = kept.part;
    char* there = network_.memory[part.transfer->channel->node] + part.place;
    if (part.transfer->is_write)
      std::memcpy(there, part.local, part.bytes);
    else
      std::memcpy(part.local, there, part.bytes);
    wire.part_done(*part.transfer);
  }
  bool receive(Wire& wire, bool may_stop) {
    Line* full[most_nodes];
    size_t count = 0;
    for (auto& lines : network_.lines)
      if (lines[me_].may_take()) full[count++] = &lines[me_];
    if (count == 0) return false;
    const size_t chosen = model::choose(count + (may_stop ? 1 : 0));
    if (chosen == count) return false;
    if (conditions_.closes) full[chosen]->meet();
    const auto& [bytes, place] = full[chosen]->messages[full[chosen]->taken++];
    if (place)
      std::memcpy(place, bytes.data(), bytes.size());
    else
      MODEL_REQUIRE(wire.receive(bytes.data(), bytes.size()).kind == Received::Kind::message);
    return true;
  }

  Network& network_;
  uint32_t me_;
  NetworkConditions conditions_;
  std::deque<Kept> kept_;
  bool refused_ = false, held_ = false;
};

}  // namespace atrium
