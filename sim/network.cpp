// Moves bytes between nodes on the virtual clock.
// SPDX-License-Identifier: BSD-3-Clause
#include "sim/network.hpp"

#include <algorithm>
#include <cstring>
#include <deque>
#include <string>
#include <unordered_map>
#include <utility>

#include "wire/message.hpp"

namespace atrium::sim {

// Its traits are those of a network without connections that writes by itself; what a peer must do is said by its calls.
class SimulatedEngine final : public Engine {
 public:
  SimulatedEngine(SimulatedNetwork& network, Pe& pe) : network_(network), world_(network.world_), pe_(pe) {
    traits_.provider = "simulated";
    traits_.largest_message = size_t{1} << 20;
    traits_.largest_transfer = size_t{4} << 20;
    traits_.sends_after_writes = world_.disturbances().sends_after_writes;
    traits_.connected = false;
  }

  const EngineTraits& traits() const override { return traits_; }
  Result<std::string> name() override { return std::to_string(pe_.number); }
  Result<Peer> insert(std::string_view name) override { return Peer{std::stoull(std::string(name))}; }
  Result<RegionKey> register_region(void* start, size_t bytes, uint64_t wanted) override {
    region_ = {static_cast<char*>(start), bytes};
    return RegionKey{wanted, 0};
  }

  Post send(Peer to, const void* data, size_t bytes, void* token) override;
  Post post_receive(void* buffer, size_t bytes, void* token) override {
    if (refuses()) return Post::later;
    buffers_.push_back({static_cast<char*>(buffer), bytes, 0, token});
    return Post::taken;
  }
  Post write(Peer to, const RegionKey& region, uint64_t place, const void* source, size_t bytes,
             void* token) override;
  Post read(Peer from, const RegionKey& region, uint64_t place, void* dest, size_t bytes,
            void* token) override;
  int poll(EngineEvent* completions, int room) override;
  int wait_fd() const override { return -1; }
  bool may_sleep() override { return ready_.empty() && arrived_.empty(); }
  const Error& last_error() const override { return error_; }

 private:
  struct Region {
    char* start = nullptr;
    size_t bytes = 0;
  };
  struct Message {
    std::string data;
    int from;
    SimulatedEngine& to;
    uint64_t number;  // in the schedule, if one is kept
  };
  struct Buffer {
    char* start;
    size_t bytes, used;
    void* token;
  };

  bool refuses();
  void count(Peer to, uint64_t Sent::*kind, size_t bytes);
  SimulatedEngine& peer(Peer who) { return *network_.engines_[who]; }
  // Not before what went there earlier, where that must be so.
  Time in_order(Peer to, Time arrival) {
    Time& last = last_arrival_[to];
    return last = std::max(arrival, last + 1);
  }
  void complete_at(Time when, const EngineEvent& event);
  void arrive(Message* message);
  bool deliver(const Message& message);
  void carry(char* to, const char* from, size_t bytes);

  SimulatedNetwork& network_;
  World& world_;
  Pe& pe_;
  EngineTraits traits_;
  Region region_;
  std::unordered_map<Peer, Time> last_arrival_;  // of a message, and of a write that messages follow
  std::deque<Buffer> buffers_;
  std::deque<std::unique_ptr<Message>> arrived_;
  std::deque<EngineEvent> ready_;
  Error error_;
};

void SimulatedEngine::carry(char* to, const char* from, size_t bytes) {
  std::memcpy(to, from, bytes);
  if (bytes > 0 && pe_.random.chance(world_.disturbances().corruption)) to[bytes / 2] ^= 1;
}

bool SimulatedEngine::refuses() {
  constexpr Time until_room = 2 * microsecond;
  if (!pe_.random.chance(world_.disturbances().refusal)) return false;
  pe_.retries_at = pe_.clock + until_room;
  return true;
}

void SimulatedEngine::count(Peer to, uint64_t Sent::*kind, size_t bytes) {
  ++(pe_.sent.*kind);
  pe_.sent.bytes += bytes;
  pe_.partners.insert(to);
}

void SimulatedEngine::complete_at(Time when, const EngineEvent& event) {
  world_.clock().at(when, [this, event] {
    ready_.push_back(event);
    world_.wake(pe_, world_.clock().now());
  });
}

Post SimulatedEngine::send(Peer to, const void* data, size_t bytes, void* token) {
  if (refuses()) return Post::later;
  world_.spend(world_.costs().overhead());
  count(to, &Sent::messages, bytes);
  if (bytes == bare_message_bytes) ++pe_.sent.bare;
  const Time head = network_.inject(pe_.node, bytes, pe_.clock) + world_.costs().wire();
  const Time arrival = in_order(to, head + world_.random_delay(pe_.random));
  Schedule* const schedule = world_.schedule();
  auto* const message = new Message{std::string(static_cast<const char*>(data), bytes), pe_.number, peer(to),
                                    schedule ? schedule->send(pe_.number, static_cast<int>(to), bytes) : 0};
  network_.travel(pe_.node, peer(to).pe_.node, bytes, arrival, [message] { message->to.arrive(message); });
  if (world_.disturbances().seed == 0 || pe_.random.chance(0.5)) return Post::done;
  complete_at(arrival, {EngineEvent::Kind::sent, token, nullptr, 0});
  return Post::taken;
}

// Its head has. From here on the message is mine.
void SimulatedEngine::arrive(Message* message) {
  world_.clock().at(network_.land(pe_.node, message->data.size()), [this, message] {
    arrived_.emplace_back(message);
    world_.wake(pe_, world_.clock().now());
  });
}

// The data is taken when it lands: who changes the source before it may is found out. Where messages follow writes, the
// source is free as soon as the card has read it.
Post SimulatedEngine::write(Peer to, const RegionKey&, uint64_t place, const void* source, size_t bytes,
                            void* token) {
  if (refuses()) return Post::later;
  world_.spend(world_.costs().overhead());
  count(to, &Sent::transfers, bytes);
  const Costs& costs = world_.costs();
  const bool ordered = traits_.sends_after_writes;
  const Time sent = network_.inject(pe_.node, bytes, pe_.clock);
  const Time delayed = sent + costs.wire() + world_.random_delay(pe_.random);
  const Time head = ordered ? in_order(to, delayed) : delayed;
  std::string kept;
  if (ordered) kept.assign(static_cast<const char*>(source), bytes);
  SimulatedEngine& target = peer(to);
  network_.travel(pe_.node, target.pe_.node, bytes, head,
                  [this, &target, place, source, bytes, token, ordered, kept = std::move(kept)] {
                    const Time there = network_.land(target.pe_.node, bytes);
                    if (ordered) return carry(target.region_.start + place, kept.data(), bytes), void();
                    world_.clock().at(there, [this, &target, place, source, bytes, token] {
                      carry(target.region_.start + place, static_cast<const char*>(source), bytes);
                      complete_at(world_.clock().now() + world_.costs().wire(),
                                  {EngineEvent::Kind::written, token, nullptr, 0});
                    });
                  });
  if (ordered) complete_at(sent + costs.card(bytes), {EngineEvent::Kind::written, token, nullptr, 0});
  return Post::taken;
}

Post SimulatedEngine::read(Peer from, const RegionKey&, uint64_t place, void* dest, size_t bytes,
                           void* token) {
  constexpr size_t request = 32;
  if (refuses()) return Post::later;
  world_.spend(world_.costs().overhead());
  count(from, &Sent::transfers, bytes);
  const Time asked = network_.inject(pe_.node, request, pe_.clock) + world_.costs().wire();
  SimulatedEngine& source = peer(from);
  const Time there = asked + world_.random_delay(pe_.random);
  network_.travel(pe_.node, source.pe_.node, request, there, [this, &source, place, dest, bytes, token] {
    const Time head = network_.inject(source.pe_.node, bytes, world_.clock().now()) + world_.costs().wire();
    network_.travel(source.pe_.node, pe_.node, bytes, head, [this, &source, place, dest, bytes, token] {
      carry(static_cast<char*>(dest), source.region_.start + place, bytes);
      complete_at(network_.land(pe_.node, bytes), {EngineEvent::Kind::read, token, nullptr, 0});
    });
  });
  return Post::taken;
}

int SimulatedEngine::poll(EngineEvent* completions, int room) {
  int count = 0;
  Time spent = 0;
  while (count < room) {
    if (!ready_.empty()) {
      completions[count++] = ready_.front();
      ready_.pop_front();
    } else if (!arrived_.empty() && deliver(*arrived_.front())) {
      arrived_.pop_front();
      spent += world_.costs().overhead();
    } else {
      break;
    }
  }
  if (spent > 0) world_.spend(spent);
  return count;
}

bool SimulatedEngine::deliver(const Message& message) {
  const size_t bytes = message.data.size();
  while (!buffers_.empty()) {
    Buffer& first = buffers_.front();
    if (first.bytes - first.used >= bytes) {
      char* const at = first.start + first.used;
      std::memcpy(at, message.data.data(), bytes);
      first.used = std::min(first.bytes, first.used + (bytes + 7) / 8 * 8);
      ready_.push_back({EngineEvent::Kind::received, first.token, at, bytes});
      if (Schedule* const schedule = world_.schedule())
        schedule->receive(pe_.number, message.from, bytes, message.number);
      return true;
    }
    ready_.push_back({EngineEvent::Kind::buffer_used, first.token, nullptr, 0});
    buffers_.pop_front();
  }
  return false;
}

SimulatedNetwork::SimulatedNetwork(World& world)
    : world_(world), cards_(static_cast<size_t>(world.nodes())), engines_(world.pes().size()) {
  if (world.costs().nodes_of_switch > 0)
    links_.resize(cards_.size() / static_cast<size_t>(world.costs().nodes_of_switch) + 1);
}

std::unique_ptr<Engine> SimulatedNetwork::open(Pe& pe) {
  auto engine = std::make_unique<SimulatedEngine>(*this, pe);
  engines_[static_cast<size_t>(pe.number)] = engine.get();
  return engine;
}

void SimulatedNetwork::travel(int from, int to, size_t bytes, Time head, Clock::Act arrive) {
  if (world_.costs().same_switch(from, to)) return world_.clock().at(head, std::move(arrive));
  world_.clock().at(head, [this, from, to, bytes, arrive = std::move(arrive)]() mutable {
    const Time up = pass(links_of(from).up_until, bytes);
    world_.clock().at(up, [this, to, bytes, arrive = std::move(arrive)]() mutable {
      world_.clock().at(pass(links_of(to).down_until, bytes), std::move(arrive));
    });
  });
}

Time SimulatedNetwork::pass(Time& busy_until, size_t bytes) {
  const Time start = std::max(world_.clock().now(), busy_until);
  busy_until = start + world_.costs().links(bytes);
  return start;
}

Time SimulatedNetwork::inject(int node, size_t bytes, Time ready) {
  Time& busy = card(node).sends_until;
  const Time start = std::max(ready, busy);
  busy = start + world_.costs().card(bytes);
  return start;
}

Time SimulatedNetwork::land(int node, size_t bytes) {
  Time& busy = card(node).receives_until;
  return busy = std::max(world_.clock().now(), busy) + world_.costs().card(bytes);
}

}  // namespace atrium::sim
