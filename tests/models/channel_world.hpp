// Nodes with a real wire each (src/wire), which the explorer's threads drive over a network that it explores, as those of an
// endpoint do (src/network).
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstring>
#include <memory>
#include <vector>

#include "channel_network.hpp"
// clang-format off: what comes before is compiled as it is
#include "explorer/words.hpp"
// clang-format on

namespace atrium {

// Nobody interferes here: what is sealed stays as it is. Numbers are given and compared all the same.
inline constexpr SealMethod nothing{
    "nothing", [](SealKey&, const unsigned char*) {},
    [](const SealKey&, const SealNumber&, const SealedText&, char* tag) {
      std::memset(tag, 0, seal_tag_bytes);
    },
    [](const SealKey&, const SealNumber&, const SealedText&, const char*) { return true; }};

// The progress lock, which has a model of its own: two steps, one to take it and one to give it back. It also says whether
// another thread has changed something, which is when a thread that waits has to look again.
class TurnLock {
 public:
  void lock() { word_.object.lock(std::source_location::current()); }
  void unlock() {
    uint64_t& mine = known_[model::this_thread()];
    if (has_changed_ && mine == version_) ++mine;
    if (has_changed_) ++version_;
    has_changed_ = false;
    word_.store(2 * version_, std::memory_order_release);
  }

  // By the holder: something is different now, for those who wait.
  void change() { has_changed_ = true; }
  // By the holder: has looked at everything that there is.
  void know() { known_[model::this_thread()] = version_; }
  // Only loads: a wait's condition.
  bool has_news() {
    return word_.object.look(std::source_location::current()) / 2 != known_[model::this_thread()];
  }

 private:
  std::atomic<uint64_t> word_{0};  // lowest bit: held; the others: version_
  uint64_t version_ = 0, known_[most_threads] = {};
  bool has_changed_ = false;
};

struct World;

class Node final : WireOwner {
 public:
  Node(World& world, Network& network, uint32_t me, size_t nodes, const NetworkConditions& conditions);

  void put(const Place& to, const void* source, size_t bytes, Pending* pending, bool announces = false);
  void get(const Place& from, void* dest, size_t bytes);
  void get_later(const Place& from, void* dest, size_t bytes, Pending* pending);
  void quiet(const Pending& pending);
  void quiet_all();
  template <class Ready>
  void wait(Ready ready) {
    lock_.lock();
    wait_holding(ready);
    lock_.unlock();
  }
  // Another turn would do something. Only loads.
  bool is_awake();
  void exit() { card_.close(); }

  alignas(64) uint64_t words[1200] = {};  // its one PE's memory
  Wire wire;

 private:
  void wake(int, uint64_t, uint64_t) override {}
  void opened(Channel&) override {}
  void answered(Channel&) override {}
  bool take_links(Channel&, const Record&) override { return false; }

  // Requires of these: the lock is held.
  void perform(const Request& request);
  template <class Ready>
  void wait_holding(Ready ready);
  void send(Channel& channel, bool push);
  void send_all() {
    wire.visit_busy([this](Channel& channel) { send(channel, true); });
  }
  void turn();
  void rest();

  World& world_;
  NodeMemory memory_;
  Card card_;
  TurnLock lock_;
};

// Threads that act, and threads that serve a node until the others have finished: what its progress thread does.
struct World {
  Network network;
  std::vector<std::unique_ptr<Node>> nodes;
  std::atomic<uint64_t> finishes{0};
  uint64_t actors = 1;
  bool over[most_threads] = {};
  Pending pending = 0;  // of a context that threads share

  World(size_t count, uint64_t actors, const NetworkConditions& conditions) : actors(actors) {
    for (uint32_t node = 0; node < count; ++node)
      nodes.push_back(std::make_unique<Node>(*this, network, node, count, conditions));
  }

  bool is_over() {
    return over[model::this_thread()] = finishes.object.look(std::source_location::current()) == actors;
  }
  void serve(int node) {
    at(node).wait([this] { return over[model::this_thread()]; });
  }
  void finish() { finishes.fetch_add(1, std::memory_order_acq_rel); }

  Node& at(int node) { return *nodes[static_cast<size_t>(node)]; }
  static Place place(int node, int word) { return {node, 0, static_cast<uint64_t>(word) * 8}; }
  void put(int from, int to, int word, uint64_t value, Pending* pending) {
    at(from).put(place(to, word), &value, sizeof value, pending, true);
  }
  uint64_t* address(int node, int word) { return &at(node).words[word]; }
  uint64_t word(int node, int word) { return __atomic_load_n(address(node, word), __ATOMIC_RELAXED); }
};

inline Node::Node(World& world, Network& network, uint32_t me, size_t nodes,
                  const NetworkConditions& conditions)
    : wire(memory_, *this),
      world_(world),
      memory_{reinterpret_cast<char*>(words), 1, {sizeof words, 0, sizeof words}},
      card_(network, me, conditions) {
  network.memory[me] = memory_.view;
  wire.connect(
      {{me, 0}, {}, &nothing, std::vector<size_t>(nodes, 1), size_t{1} << 20, conditions.sends_after_writes});
}

// `announces`: it is news to other threads.
inline void Node::put(const Place& to, const void* source, size_t bytes, Pending* pending, bool announces) {
  lock_.lock();
  perform({put_of(to, bytes), static_cast<char*>(const_cast<void*>(source)), pending});
  if (announces) lock_.change();
  lock_.unlock();
}

inline void Node::get(const Place& from, void* dest, size_t bytes) {
  Pending mine = 0;
  lock_.lock();
  perform({get_of(from, bytes), static_cast<char*>(dest), &mine, nullptr, false, true});
  wait_holding([&] { return is_complete(&mine); });
  lock_.unlock();
}

inline void Node::get_later(const Place& from, void* dest, size_t bytes, Pending* pending) {
  lock_.lock();
  perform({get_of(from, bytes), static_cast<char*>(dest), pending});
  lock_.unlock();
}

inline void Node::quiet(const Pending& pending) {
  lock_.lock();
  Quiet quiet(wire, &pending);
  wait_holding([&] { return quiet.is_over(); });
  lock_.unlock();
}

inline void Node::quiet_all() {
  lock_.lock();
  Quiet quiet(wire);
  wait_holding([&] { return quiet.is_over() && wire.owes_nothing(); });
  lock_.unlock();
}

inline void Node::perform(const Request& request) {
  const QueuedOperation queued = wire.enqueue(request);
  wait_holding([&] { return wire.may_begin(request, queued); });
  wire.begin(request, queued);
  const bool gathers = request.is_awaited || Wire::gathers(*queued.channel);
  if (protocol_of(request) != Protocol::record || !gathers) send(*queued.channel, false);
}

template <class Ready>
void Node::wait_holding(Ready ready) {
  if (ready()) return;
  send_all();
  for (;;) {
    turn();
    if (ready()) return;
    lock_.unlock();
    rest();
    lock_.lock();
  }
}

inline void Node::send(Channel& channel, bool push) {
  PostOutcome outcome = PostOutcome::kept;
  while (const auto part = wire.next_part(channel)) {
    wire.posted(*part, outcome = card_.move(*part));
    if (outcome == PostOutcome::refused) break;
  }
  while (Message* const message = wire.next_message(channel, push)) {
    wire.posted(*message, outcome = card_.send(*message));
    if (outcome == PostOutcome::refused) return;
  }
}

inline void Node::turn() {
  if (card_.poll(wire) > 0) lock_.change();
  lock_.know();
  send_all();
}

// Until another turn would do something. A fruitless turn is no step.
inline void Node::rest() {
  card_.let_go();
  model::await([](void* node) { return static_cast<Node*>(node)->is_awake(); }, this);
}

inline bool Node::is_awake() {
  const bool news = card_.has_news(), changed = lock_.has_news();
  return world_.is_over() || news || changed;
}

}  // namespace atrium
