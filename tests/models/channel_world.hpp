// Nodes with a real endpoint each (src/endpoint), driven by the explorer's threads over a network that it explores.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model.hpp"
// clang-format off: words are steps from here on; what is pending has a model of its own
#include "endpoint/pending.hpp"
#include "explorer/words.hpp"
// clang-format on
#include <cstring>
#include <deque>
#include <mutex>
#include <optional>
#include <variant>
#include <vector>

#include "channel_network.hpp"
#include "endpoint/progress_lock.hpp"
#include "endpoint/sleepers.cpp"  // nobody sleeps here

namespace std {
// Counts by which the progress thread guesses whether its PE drives, and the mark of a failed endpoint: no part of the
// protocol, and so no steps.
template <class T>
struct hint {
  T value;
  T load(memory_order = memory_order_seq_cst) const { return value; }
  void store(T next, memory_order = memory_order_seq_cst) { value = next; }
  T exchange(T next, memory_order = memory_order_seq_cst) { return std::exchange(value, next); }
  T fetch_add(T more, memory_order = memory_order_seq_cst) { return std::exchange(value, value + more); }
  T fetch_sub(T less, memory_order = memory_order_seq_cst) { return std::exchange(value, value - less); }
};
}  // namespace std

#define atomic hint
#define private public  // the model drives an endpoint turn by turn
#include "endpoint/endpoint.hpp"
#undef private
#undef atomic

#include "endpoint/channel_seal.cpp"
#include "endpoint/endpoint.cpp"
#include "endpoint/host_watch.cpp"
#include "endpoint/links.cpp"
#include "endpoint/message.cpp"
#include "endpoint/node_memory.cpp"
#include "endpoint/operations.cpp"
#include "endpoint/ordering.cpp"
#include "endpoint/receiving.cpp"
#include "endpoint/sending.cpp"
#include "endpoint/transfers.cpp"
#include "endpoint/waiting.cpp"

namespace atrium {

// Nobody interferes here: what is sealed stays as it is. Numbers are given and compared all the same.
const SealMethod chacha20_poly1305{
    "nothing", [](SealKey&, const unsigned char*) {},
    [](const SealKey&, const SealNumber&, const SealedText&, char* tag) {
      std::memset(tag, 0, seal_tag_bytes);
    },
    [](const SealKey&, const SealNumber&, const SealedText&, const char*) { return true; }};
void derive_key(const unsigned char*, const KeyPurpose&, unsigned char*) {}

struct World;

struct Node {
  World* world = nullptr;
  StandIn* engine = nullptr;
  std::unique_ptr<Endpoint> endpoint;
  alignas(64) uint64_t words[1200] = {};  // its one PE's memory
};

// Threads that act, and threads that serve a node until the others have finished: what its progress thread does.
struct World {
  Network network;
  Node nodes[most_nodes];
  std::atomic<uint64_t> finishes{0};
  uint64_t actors = 1;
  bool over[most_threads] = {};
  Pending pending = 0;  // of a context that threads share

  World(int count, uint64_t actors, const Weather& weather) : actors(actors) {
    EndpointPlan plan;
    plan.addresses.resize(static_cast<size_t>(count));
    for (int node = 0; node < count; ++node)
      plan.addresses[static_cast<size_t>(node)] = {{std::to_string(node), {}}};
    for (int node = 0; node < count; ++node) {
      plan.node = node;
      open(nodes[node], plan, weather);
    }
  }
  void open(Node& node, const EndpointPlan& plan, const Weather& weather) {
    node.world = this;
    auto engine = std::make_unique<StandIn>(network, plan.node, weather);
    node.engine = engine.get();
    NodeMemory memory;
    memory.view = reinterpret_cast<char*>(node.words);
    memory.layout = {sizeof node.words, 0, sizeof node.words};
    memory.pes = 1;
    network.memory[plan.node] = memory.view;
    EndpointHost host;
    host.subject = &node;
    host.idle = [](void* node) { static_cast<Node*>(node)->world->rest(*static_cast<Node*>(node)); };
    host.fail = [](void*, const Error&) { MODEL_REQUIRE(!"the endpoint has failed"); };
    node.endpoint.reset(new Endpoint(std::move(engine), memory, host));
    node.engine->lock = &node.endpoint->lock_;
    node.endpoint->plan_ = plan;
    node.endpoint->channels_.resize(plan.addresses.size());
    for (auto& channels : node.endpoint->channels_) channels.resize(1);
  }

  // Until another turn would do something. A fruitless turn is no step.
  void rest(Node& node) {
    node.engine->let_go();
    model::await(
        [](void* node) { return static_cast<Node*>(node)->world->is_awake(*static_cast<Node*>(node)); },
        &node);
  }
  bool is_awake(Node& node) {
    const bool news = node.engine->has_news(), changed = node.endpoint->lock_.has_news();
    over[model::this_thread()] = finishes.object.look(std::source_location::current()) == actors;
    return news || changed || over[model::this_thread()];
  }
  void serve(int node) {
    Endpoint& endpoint = *nodes[node].endpoint;
    endpoint.lock_.lock();
    endpoint.wait([this] { return over[model::this_thread()]; });
    endpoint.lock_.unlock();
  }
  void exit(int node) { nodes[node].engine->close(); }
  void finish() { finishes.fetch_add(1, std::memory_order_acq_rel); }

  Endpoint& at(int node) { return *nodes[node].endpoint; }
  static Place place(int node, int word) { return {node, 0, static_cast<uint64_t>(word) * 8}; }
  void put(int from, int to, int word, uint64_t value, Pending* pending) {
    bool& announces = at(from).lock_.announces[model::this_thread()];
    announces = true;
    at(from).put(pending, place(to, word), &value, sizeof value);
    announces = false;
  }
  uint64_t word(int node, int word) { return __atomic_load_n(&nodes[node].words[word], __ATOMIC_RELAXED); }
};

}  // namespace atrium
