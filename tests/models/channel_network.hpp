// A network between endpoints under the explorer: whatever the engine's contract allows (src/engine/engine.hpp).
// SPDX-License-Identifier: BSD-3-Clause
//
// A message moves when its sender's step has put it on the wire, and comes when a look of the receiver has seen it there:
// how long it takes is a matter of who is scheduled. Which of the wires a poll takes from, and how much, is a choice;
// so is a refusal, as often as the scenario allows.
#pragma once

#include <algorithm>
#include <deque>
#include <string>

#include "endpoint/progress_lock.hpp"
#include "engine/engine.hpp"

namespace atrium {

inline constexpr int most_nodes = 3, most_threads = 5;

// From one node to another.
struct Wire {
  std::atomic<uint64_t> carried{0};
  std::deque<std::string> messages;  // all, from the first one on
  uint64_t taken = 0;
  uint64_t seen[most_threads] = {};  // by the receiver's threads
  uint64_t lost_from = ~uint64_t{0};

  void carry(const void* data, size_t bytes) {
    carried.fetch_add(1, std::memory_order_acq_rel);
    messages.emplace_back(static_cast<const char*>(data), bytes);
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
  Wire wires[most_nodes][most_nodes];
  char* memory[most_nodes] = {};  // for writes
  bool closed[most_nodes] = {};
};

// What varies between scenarios.
struct Weather {
  bool keeps_messages = false;  // until the sender polls: only then they are on the wire
  int refusals = 0;             // so many posts of an engine may be answered `later`
  int holds = 0;        // so often what is kept stays so until the sender rests, however often it polls
  bool closes = false;  // engines will be closed while others are open
};

class StandIn final : public Engine {
 public:
  StandIn(Network& network, int me, const Weather& weather) : network_(network), me_(me), weather_(weather) {
    traits_.largest_message = traits_.largest_transfer = size_t{1} << 20;
  }
  ProgressLock* lock = nullptr;  // the endpoint's

  const EngineTraits& traits() const override { return traits_; }
  Result<std::string> name() override { return std::to_string(me_); }
  Result<Peer> insert(std::string_view name) override { return Peer{static_cast<Peer>(name[0] - '0')}; }
  Result<RegionKey> register_region(void*, size_t, uint64_t) override { return RegionKey{}; }

  Post send(Peer to, const void* data, size_t bytes, void* token) override {
    if (refuses()) return Post::later;
    if (!weather_.keeps_messages) return carry(to, data, bytes), Post::done;
    kept_.push_back({EngineEvent::Kind::sent, to, data, bytes, 0, token});
    return Post::taken;
  }
  Post post_receive(void*, size_t, void*) override { return Post::taken; }
  Post write(Peer to, const RegionKey&, uint64_t place, const void* source, size_t bytes,
             void* token) override {
    if (refuses()) return Post::later;
    kept_.push_back({EngineEvent::Kind::written, to, source, bytes, place, token});
    return Post::taken;
  }
  Post read(Peer from, const RegionKey&, uint64_t place, void* dest, size_t bytes, void* token) override {
    if (refuses()) return Post::later;
    kept_.push_back({EngineEvent::Kind::read, from, dest, bytes, place, token});
    return Post::taken;
  }

  int poll(EngineEvent* events, int room) override {
    int count = 0;
    refused_ = false;
    if (!held_ && !kept_.empty() && weather_.holds > 0 && model::choose(2) == 1)
      held_ = true, --weather_.holds;
    for (; !held_ && !kept_.empty() && count < room; kept_.pop_front())
      events[count++] = finish(kept_.front());
    while (count < room && receive(events[count], count > 0)) ++count;
    if (count > 0) lock->change();
    lock->know();
    return count;
  }
  int wait_fd() const override { return -1; }
  bool may_sleep() override { return true; }
  const Error& last_error() const override { return error_; }

  // As connections do: what has not gone is forgotten; a peer of whom something is unread is told of an error, and what
  // it has not read either is lost.
  void close() {
    network_.closed[me_] = true;
    for (int peer = 0; peer < most_nodes; ++peer) {
      Wire &in = network_.wires[peer][me_], &out = network_.wires[me_][peer];
      in.meet();
      out.meet();
      if (in.taken < in.messages.size()) out.lost_from = out.taken;
    }
  }

  void let_go() { held_ = false; }

  // Whether another poll would do something. Only loads: it is the condition of a wait.
  bool has_news() {
    bool news = refused_ || !kept_.empty();
    for (auto& wires : network_.wires) news |= wires[me_].has_news();
    return news;
  }

 private:
  struct Kept {
    EngineEvent::Kind kind;  // of the event that ends it
    Peer to;
    const void* data;
    size_t bytes;
    uint64_t place;
    void* token;
  };

  bool refuses() {
    if (weather_.refusals == 0 || model::choose(2) == 0) return false;
    --weather_.refusals;
    return refused_ = true;
  }
  // Its answer would be an error, at whatever time.
  void carry(Peer to, const void* data, size_t bytes) {
    network_.wires[me_][to].carry(data, bytes);
    MODEL_REQUIRE(!network_.closed[to]);
  }
  EngineEvent finish(const Kept& kept) {
    char* there = network_.memory[kept.to] + kept.place;
    if (kept.kind == EngineEvent::Kind::sent)
      carry(kept.to, kept.data, kept.bytes);
    else if (kept.kind == EngineEvent::Kind::written)
      std::memcpy(there, kept.data, kept.bytes);
    else
      std::memcpy(const_cast<void*>(kept.data), there, kept.bytes);
    return {kept.kind, kept.token, nullptr, 0};
  }
  bool receive(EngineEvent& event, bool may_stop) {
    Wire* full[most_nodes];
    size_t count = 0;
    for (auto& wires : network_.wires)
      if (wires[me_].may_take()) full[count++] = &wires[me_];
    if (count == 0) return false;
    const size_t chosen = model::choose(count + (may_stop ? 1 : 0));
    if (chosen == count) return false;
    if (weather_.closes) full[chosen]->meet();
    const std::string& message = full[chosen]->messages[full[chosen]->taken++];
    event = {EngineEvent::Kind::received, nullptr, message.data(), message.size()};
    return true;
  }

  Network& network_;
  int me_;
  Weather weather_;
  EngineTraits traits_;
  Error error_;
  std::deque<Kept> kept_;
  bool refused_ = false, held_ = false;
};

}  // namespace atrium
