// Engines of every kind, two or three of which know each other and are driven in turn by one thread.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/settings.hpp"
#include "engine/engine.hpp"
#include "engine/libfabric.hpp"
#include "engine/memory.hpp"
#include "engine/tcp/tcp_engine.hpp"

namespace atrium {

inline constexpr size_t largest = 8448;
// Two or three engines that know each other, driven in turn by one thread.
struct EngineNet {
  std::unique_ptr<MemoryNetwork> memory;
  std::vector<std::unique_ptr<Engine>> engines;
  std::string missing;  // why there is none
};

struct EngineOfContract {
  const char* name;
  std::function<EngineNet(int)> make;
};

inline void PrintTo(const EngineOfContract& kind, std::ostream* out) { *out << kind.name; }

inline EngineNet memory_net(int n, NetworkConditions conditions) {
  EngineNet net;
  net.memory = std::make_unique<MemoryNetwork>(conditions);
  for (int i = 0; i < n; ++i) net.engines.push_back(net.memory->open());
  return net;
}

inline EngineNet fabric_net(int n, const char* provider) {
  EngineNet net;
  for (int i = 0; i < n; ++i) {
    std::vector<ProviderFinding> passed_over;
    auto engine = find_libfabric({setting("ATRIUM_LIBFABRIC"), provider, "lo", largest}, passed_over);
    if (!engine) {
      net.missing = engine.error().because;
      return net;
    }
    net.engines.push_back(std::move(engine->engine));
  }
  return net;
}

inline EngineNet tcp_net(int n) {
  EngineNet net;
  for (int i = 0; i < n; ++i) {
    auto engine = open_kernel_tcp({"", "auto", "lo", largest}, "127.0.0.1");
    if (!engine) return net.missing = engine.error().because, std::move(net);
    net.engines.push_back(std::move(*engine));
  }
  return net;
}

inline const EngineOfContract engines_of_contract[] = {
    {"memory_ideal",
     [](int n) {
       return memory_net(n, {1, 0, 0, 0, 0, 0, false, true, 0});
     }},
    {"memory_usual", [](int n) { return memory_net(n, {}); }},
    {"memory_adverse",
     [](int n) {
       return memory_net(n, {7, 0.8, 0.3, 0.5, 0.8, 1, true, false, 3, true});
     }},
    {"kernel_tcp", [](int n) { return tcp_net(n); }},
    {"tcp", [](int n) { return fabric_net(n, "tcp"); }},
    {"tcp_ofi_rxm", [](int n) { return fabric_net(n, "tcp;ofi_rxm"); }},
    {"net", [](int n) { return fabric_net(n, "net"); }},
    {"udp_ofi_rxd", [](int n) { return fabric_net(n, "udp;ofi_rxd"); }},
};

class EngineContract : public testing::TestWithParam<EngineOfContract> {
 protected:
  void open(int n) {
    net = GetParam().make(n);
    if (!net.missing.empty()) GTEST_SKIP() << net.missing;
    buffers.resize(static_cast<size_t>(n));
    received.resize(static_cast<size_t>(n));
    for (auto& engine : net.engines) {
      names.push_back(*engine->name());
      for (int i = 0; i < 4; ++i) give_buffer(names.size() - 1);
    }
    for (auto& engine : net.engines) {
      for (auto& name : names) peers.push_back(*engine->insert(name));
    }
  }
  Peer peer(size_t of, size_t whom) { return peers[of * names.size() + whom]; }
  Engine& engine(size_t i) { return *net.engines[i]; }

  void give_buffer(size_t i) {
    buffers[i].push_back(std::make_unique<std::vector<char>>(4 * largest));
    unposted.emplace_back(i, buffers[i].back().get());
    post_buffers();
  }
  // Those that an engine cannot take now go later.
  void post_buffers() {
    std::erase_if(unposted, [&](const auto& each) {
      auto* const buffer = each.second;
      const Post post = engine(each.first).post_receive(buffer->data(), buffer->size(), buffer);
      EXPECT_NE(post, Post::failed);
      return post == Post::taken;
    });
  }

  // One look at each engine.
  void turn() {
    post_buffers();
    EngineEvent completions[16];
    for (size_t i = 0; i < net.engines.size(); ++i) {
      const int n = engine(i).poll(completions, 16);
      for (int k = 0; k < n; ++k) handle(i, completions[k]);
    }
  }
  void handle(size_t i, const EngineEvent& completion) {
    if (completion.kind == EngineEvent::Kind::received)
      received[i].emplace_back(completion.data, completion.bytes);
    else if (completion.kind == EngineEvent::Kind::buffer_used)
      give_buffer(i);
    else
      done.push_back(completion);
  }
  template <class Ready>
  void until(Ready ready) {
    for (long turns = 0; turns < 20'000'000 && !ready(); ++turns) turn();
    ASSERT_TRUE(ready()) << "nothing came";
  }
  template <class Attempt>
  Post insist(Attempt attempt) {
    Post post = attempt();
    for (long turns = 0; turns < 20'000'000 && post == Post::later; ++turns) {
      turn();
      post = attempt();
    }
    return post;
  }
  void send(size_t from, size_t to, const std::string& text) {
    sent.push_back(std::make_unique<std::string>(text));
    const std::string& kept = *sent.back();
    const Post post = insist(
        [&] { return engine(from).send(peer(from, to), kept.data(), kept.size(), sent.back().get()); });
    ASSERT_TRUE(post == Post::taken || post == Post::done);
  }
  size_t count(EngineEvent::Kind kind) const {
    size_t n = 0;
    for (auto& each : done) n += each.kind == kind;
    return n;
  }

  EngineNet net;
  std::vector<std::string> names;
  std::vector<Peer> peers;
  std::vector<std::vector<std::unique_ptr<std::vector<char>>>> buffers;
  std::vector<std::pair<size_t, std::vector<char>*>> unposted;
  std::vector<std::vector<std::string>> received;
  std::vector<std::unique_ptr<std::string>> sent;
  std::vector<EngineEvent> done;
};

#define OPEN(n) \
  open(n);      \
  if (IsSkipped()) return

inline std::string text_of(int from, int number, size_t bytes) {
  std::string text = std::to_string(from) + ":" + std::to_string(number) + ":";
  text.resize(std::max(bytes, text.size()), static_cast<char>('a' + number % 26));
  return text;
}

}  // namespace atrium
