// Nodes with an endpoint each, all in this process, over the network in memory or another engine.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <vector>

#include "engine/memory.hpp"
#include "network/endpoint.hpp"
#include "network/ring_client.hpp"

namespace atrium {

inline uint64_t world_clock = 1;  // moves only when somebody waits

inline uint64_t real_clock() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

class World {
 public:
  static constexpr uint64_t part_bytes = 1 << 18;  // heap of a PE; its globals are as large
  static constexpr JobSecret secret{0xfe, 0xed, 0xfa, 0xce, 0xca, 0xfe, 0xbe, 0xef};

  // Every node has `endpoints` endpoints and `pes` PEs. One thread drives all: who waits lets the others take turns.
  World(const NetworkConditions& conditions, int nodes, int endpoints = 1, int pes = 2, bool threads = false)
      : network_(std::make_unique<MemoryNetwork>(conditions)), pes_(pes) {
    build(std::vector<int>(static_cast<size_t>(nodes), endpoints), threads,
          [this] { return network_->open(); });
  }
  World(const std::function<std::unique_ptr<Engine>()>& open, int nodes, bool threads) : pes_(2) {
    build(std::vector<int>(static_cast<size_t>(nodes), 1), threads, open);
  }
  // So many endpoints on each node.
  World(const NetworkConditions& conditions, const std::vector<int>& endpoints)
      : network_(std::make_unique<MemoryNetwork>(conditions)), pes_(2) {
    build(endpoints, false, [this] { return network_->open(); });
  }

  // Behind the memory that tests use each PE's heap has its block.
  RingBlock* block_of(int node, int local) {
    const auto at = reinterpret_cast<uintptr_t>(memory(node, 2 * part_bytes, local));
    return reinterpret_cast<RingBlock*>((at + alignof(RingBlock) - 1) / alignof(RingBlock) *
                                        alignof(RingBlock));
  }
  RingClient& client(int node, int local = 1) {
    return *clients_[static_cast<size_t>(node)][static_cast<size_t>(local)];
  }

  struct Clients {
    int pes;
  };
  // Every node has one endpoint, its PE 0's, and the other PEs use it.
  World(const NetworkConditions& conditions, int nodes, Clients clients)
      : network_(std::make_unique<MemoryNetwork>(conditions)),
        pes_(clients.pes),
        layout_{2 * part_bytes + 2 * sizeof(RingBlock), part_bytes, 4 * part_bytes + 2 * sizeof(RingBlock)} {
    build(std::vector<int>(static_cast<size_t>(nodes), 1), false, [this] { return network_->open(); });
    for (int node = 0; node < nodes; ++node) admit_clients(node);
  }

  Endpoint& at(int node, int endpoint = 0) {
    return *endpoints_[static_cast<size_t>(node)][static_cast<size_t>(endpoint)];
  }
  // As when its process ends.
  void end(int node) { endpoints_[static_cast<size_t>(node)].clear(); }
  MemoryNetwork& network() { return *network_; }
  // Heap byte `at` of a PE, as a peer addresses it and as it lies in this process.
  Place place(int node, uint64_t at, int local = 0) const {
    return {node, local, layout_.heap_at(local) + at};
  }
  char* memory(int node, uint64_t at, int local = 0) {
    return segments_[static_cast<size_t>(node)].get() + place(node, at, local).offset;
  }
  uint64_t word(int node, uint64_t at, int local = 0) {
    return __atomic_load_n(reinterpret_cast<uint64_t*>(memory(node, at, local)), __ATOMIC_ACQUIRE);
  }
  void everybody_turns() {
    if (watcher) watcher();
    for (auto& node : endpoints_) {
      for (auto& endpoint : node) endpoint->progress();
    }
    if (watcher) watcher();
  }
  void settle(int turns = 2000) {
    for (int i = 0; i < turns; ++i) everybody_turns();
  }

  std::function<void()> watcher;     // looks around between turns
  std::function<void()> when_woken;  // memory has changed; the endpoint that has changed it is locked
  std::vector<std::string> failures, notes;
  static inline uint64_t timeout_s = 60;       // of worlds made from now on
  static inline bool asks_hosts = false;       // likewise
  static inline bool seals_by_aes = true;      // likewise, where the processor can
  std::vector<std::array<uint64_t, 3>> wakes;  // local, offset, bytes
  bool counts_wakes = false;

 private:
  void build(const std::vector<int>& endpoints, bool threads,
             const std::function<std::unique_ptr<Engine>()>& open) {
    EndpointPlan plan;
    const int nodes = static_cast<int>(endpoints.size());
    plan.secret = secret;
    if (seals_by_aes && aes_128_gcm()) plan.method = aes_128_gcm();
    plan.addresses.resize(static_cast<size_t>(nodes));
    for (int node = 0; node < nodes; ++node) {
      plan.hosts.push_back("host" + std::to_string(node));
      segments_.emplace_back(static_cast<char*>(std::calloc(1, segment_bytes())));
      endpoints_.emplace_back();
      for (int i = 0; i < endpoints[static_cast<size_t>(node)]; ++i) {
        auto opened =
            Endpoint::open(open(), node_memory(node), host(threads), 77 + static_cast<uint64_t>(node));
        EXPECT_TRUE(opened);
        endpoints_.back().push_back(std::move(*opened));
        plan.addresses[static_cast<size_t>(node)].push_back(endpoints_.back().back()->address());
      }
    }
    for (int node = 0; node < nodes; ++node) {
      for (int i = 0; i < endpoints[static_cast<size_t>(node)]; ++i) {
        plan.node = node;
        plan.endpoint = i;
        EXPECT_TRUE(at(node, i).connect(plan));
      }
    }
  }
  void admit_clients(int node) {
    std::vector<ClientRing> clients;
    clients_.emplace_back(static_cast<size_t>(pes_));
    Home& home = *homes_.emplace_back(
        std::make_unique<Home>(Home{memory(node, 0) - place(node, 0).offset, segment_bytes(), this}));
    for (int local = 1; local < pes_; ++local) {
      RingClientPlan plan;
      plan.mine = block_of(node, local);
      plan.mine_at = static_cast<uint64_t>(reinterpret_cast<char*>(plan.mine) - home.segment);
      plan.bell = &block_of(node, 0)->bell;
      plan.subject = &home;
      plan.offset_of = [](void* subject, const void* address, size_t bytes) {
        const Home& home = *static_cast<Home*>(subject);
        const auto at = reinterpret_cast<uintptr_t>(address) - reinterpret_cast<uintptr_t>(home.segment);
        return at < home.bytes && at + bytes <= home.bytes ? at : RingClientPlan::not_symmetric;
      };
      plan.idle = [](void* subject) {
        world_clock += 100'000;
        static_cast<Home*>(subject)->world->everybody_turns();
      };
      clients_.back()[static_cast<size_t>(local)] = std::make_unique<RingClient>(plan);
      clients.push_back({local, plan.mine});
    }
    at(node).admit(clients, block_of(node, 0)->bell);
  }

  uint64_t segment_bytes() const { return static_cast<uint64_t>(pes_) * layout_.part_bytes; }
  NodeMemory node_memory(int node) { return {segments_[static_cast<size_t>(node)].get(), pes_, layout_}; }
  EndpointHost host(bool threads) {
    EndpointHost host;
    host.subject = this;
    host.fail = [](void* self, const Error& error) {
      static_cast<World*>(self)->failures.push_back(error.what + ": " + error.because);
    };
    if (asks_hosts)
      host.cut_off = [](void* self, uint32_t, const Error& error) {
        static_cast<World*>(self)->failures.push_back(error.what + ": " + error.because);
      };
    host.note = [](void* self, const std::string& text) { static_cast<World*>(self)->notes.push_back(text); };
    host.wake = [](void* self, int local, uint64_t offset, uint64_t bytes) {
      auto& world = *static_cast<World*>(self);
      if (world.counts_wakes) world.wakes.push_back({static_cast<uint64_t>(local), offset, bytes});
      if (world.when_woken) world.when_woken();
    };
    host.now_ns = threads ? real_clock : [] { return world_clock; };
    host.timeout_ns = timeout_s * 1'000'000'000;
    if (!threads) {
      host.idle = [](void* self) {
        world_clock += 100'000;
        static_cast<World*>(self)->everybody_turns();
      };
    }
    return host;
  }

  struct FreeMemory {
    void operator()(void* memory) const { std::free(memory); }
  };
  struct Home {  // a node, as its clients know it
    char* segment;
    uint64_t bytes;
    World* world;
  };

  std::unique_ptr<MemoryNetwork> network_;
  int pes_;
  NodeLayout layout_{part_bytes, part_bytes, 3 * part_bytes};
  std::vector<std::unique_ptr<Home>> homes_;
  std::vector<std::vector<std::unique_ptr<RingClient>>> clients_;
  std::vector<std::unique_ptr<char, FreeMemory>> segments_;
  std::vector<std::vector<std::unique_ptr<Endpoint>>> endpoints_;
};

// The conditions of a seed: everything between ideal and adverse.
inline NetworkConditions conditions_of(uint64_t seed) {
  std::mt19937_64 random(seed * 7919 + 1);
  const auto chance = [&](double most) { return std::uniform_real_distribution<double>(0, most)(random); };
  NetworkConditions conditions;
  conditions.seed = seed;
  conditions.delay = chance(0.9);
  conditions.refusal = chance(0.4);
  conditions.refusal_burst = chance(0.3);
  conditions.late_completion = chance(0.9);
  conditions.torn_write = chance(1);
  conditions.target_must_poll = random() % 2 == 0;
  conditions.sends_after_writes = random() % 2 == 0;
  conditions.receive_split = random() % 3 == 0 ? 1 + random() % 5 : 0;
  conditions.own_keys = random() % 2 == 0;
  if (random() % 2 == 0) conditions.largest_transfer = 1000 + random() % 10000;
  return conditions;
}

// Replies to what one endpoint may have asked for, and what waits beside them.
inline constexpr size_t few_messages = Channel::most_awaited / largest_reply + 20;

inline NetworkConditions ideal() { return {1, 0, 0, 0, 0, 0, false, false, 0}; }

inline std::vector<char> pattern(size_t bytes, uint64_t seed) {
  std::vector<char> data(bytes);
  for (size_t i = 0; i < bytes; ++i) data[i] = static_cast<char>(seed * 131 + i * 7 + i / 255);
  return data;
}

// Seconds in which nobody has anything to say, each node's progress thread looking once in each.
inline void let_pass(World& world, int seconds) {
  for (int second = 0; second < seconds && world.failures.empty(); ++second) {
    world_clock += 1'000'000'000;
    bool may_sleep = false;
    for (int turn = 0; turn < 4; ++turn)
      for (int node = 0; node < 2; ++node) world.at(node).serve(may_sleep);
  }
}

}  // namespace atrium
