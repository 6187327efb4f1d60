// Endpoints with threads of their own: PEs that compute, threads that share an endpoint, and libfabric below.
// SPDX-License-Identifier: BSD-3-Clause
#include <poll.h>

#include <atomic>
#include <barrier>
#include <cstring>
#include <thread>

#include "endpoint_world.hpp"
#include "engine/libfabric.hpp"
#include "wait/policy.hpp"

namespace atrium {
namespace {

struct Kind {
  const char* name;
  const char* provider;  // null: the network in memory
};

void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.name; }

class EndpointThreads : public testing::TestWithParam<Kind> {
 protected:
  void open(int nodes) {
    if (!GetParam().provider) {
      NetworkConditions conditions;
      conditions.target_must_poll = true;
      world = std::make_unique<World>(conditions, nodes, 1, 2, true);
    } else {
      const NetworkRequest request{"", GetParam().provider, "lo", message_room};
      if (auto found = find_engine(request); !found) GTEST_SKIP() << found.error().because;
      world = std::make_unique<World>([=] { return std::move(find_engine(request)->engine); }, nodes, true);
    }
    for (int node = 0; node < nodes; ++node) EXPECT_TRUE(world->at(node).start_progress_thread());
  }
  // As a job ends: all are quiet, they meet, and who has met goes.
  void close(int nodes) {
    std::barrier met(nodes);
    std::vector<std::thread> all;
    for (int node = 0; node < nodes; ++node) all.emplace_back([&, node] { leave(node, met); });
    for (auto& each : all) each.join();
    EXPECT_TRUE(world->failures.empty()) << world->failures[0];
  }
  // The first one goes on driving, as a PE does that comes late out of the last meeting.
  void leave(int node, std::barrier<>& met) {
    world->at(node).quiet_all();
    met.arrive_and_wait();
    const uint64_t until = real_clock() + 50'000'000;
    while (node == 0 && real_clock() < until) world->at(node).progress();
    world->end(node);
  }
  std::unique_ptr<World> world;
};

const Kind kinds[] = {{"memory", nullptr},
                      {"kernel_tcp", "kernel-tcp"},
                      {"tcp", "tcp"},
                      {"tcp_ofi_rxm", "tcp;ofi_rxm"},
                      {"net", "net"}};
INSTANTIATE_TEST_SUITE_P(endpoint, EndpointThreads, testing::ValuesIn(kinds),
                         [](const auto& info) { return std::string(info.param.name); });

#define OPEN(n) \
  open(n);      \
  if (IsSkipped()) return

// Awake, it would take the CPU from a PE that has lost it while it drives.
TEST(ServingThread, sleeps_while_somebody_else_drives) {
  World world(ideal(), 2);
  uint64_t took = 0;
  world.when_woken = [&] {
    std::thread serving([&] {
      const uint64_t begin = real_clock();
      bool may_sleep = true;
      for (int turn = 0; turn < 3; ++turn) {
        EXPECT_NE(world.at(1).serve(may_sleep), 0);
        EXPECT_FALSE(may_sleep);
      }
      took = real_clock() - begin;
    });
    serving.join();
  };
  const uint64_t value = 1;
  world.at(0).put(nullptr, world.place(1, 0), &value, sizeof value, false);
  world.at(0).quiet_all();
  EXPECT_GE(took, 3 * 900'000u);
}

TEST_P(EndpointThreads, a_pe_that_never_calls_is_a_target) {
  OPEN(2);
  Pending pending = 0;
  for (uint64_t i = 1; i <= 100; ++i) {
    EXPECT_EQ(world->at(0).fetch_change(world->place(1, 0), {WordOp::add, 8, 1}), i - 1);
    world->at(0).put(&pending, world->place(1, 64), &i, 8);
    world->at(0).quiet(&pending);
    EXPECT_EQ(world->word(1, 64), i);
  }
  close(2);
}

TEST_P(EndpointThreads, what_a_pe_left_behind_is_delivered_while_it_waits_for_something_else) {
  OPEN(2);
  Pending pending = 0;
  const std::vector<char> data(50000, 7);
  world->at(0).put_signal(&pending, world->place(1, 0), data.data(), data.size(), world->place(1, 0, 1),
                          {WordOp::set, 8, 1}, true);
  for (int naps = 0; naps < 20000 && world->word(1, 0, 1) == 0; ++naps) ::poll(nullptr, 0, 1);
  EXPECT_EQ(world->word(1, 0, 1), 1u);
  EXPECT_EQ(std::memcmp(world->memory(1, 0), data.data(), data.size()), 0);
  world->at(0).quiet(&pending);
  close(2);
}

TEST_P(EndpointThreads, threads_of_a_pe_share_its_endpoint) {
  OPEN(3);
  constexpr int threads = 4;
  constexpr uint64_t rounds = 100;
  const auto work = [&](int node, int thread) {
    Pending pending = 0;
    Endpoint& endpoint = world->at(node);
    std::vector<char> large(12000, static_cast<char>(thread + 1)), got(12000);
    const uint64_t part = 1024 + 12000 * static_cast<uint64_t>(thread);
    for (uint64_t i = 0; i < rounds; ++i) {
      const int to = (node + 1 + static_cast<int>(i % 2)) % 3;
      endpoint.change(&pending, world->place(to, 8, 1), {WordOp::add, 8, 1});
      endpoint.fetch_change(world->place(to, 16, 1), {WordOp::add, 4, 1});
      if (i % 10 == 0 && node == 0) {
        endpoint.put(&pending, world->place(to, part), large.data(), large.size(), i % 20 == 0);
        endpoint.quiet(&pending);
        endpoint.get(nullptr, got.data(), world->place(to, part), got.size());
        EXPECT_EQ(got, large);
      }
    }
    endpoint.quiet(&pending);
  };
  std::vector<std::thread> all;
  for (int node = 0; node < 3; ++node) {
    for (int thread = 0; thread < threads; ++thread) all.emplace_back(work, node, thread);
  }
  for (auto& each : all) each.join();
  for (int node = 0; node < 3; ++node) {
    EXPECT_EQ(world->word(node, 8, 1), threads * rounds);
    EXPECT_EQ(world->word(node, 16, 1), threads * rounds);
  }
  close(3);
}

// More than may be under way, both ways at once.
TEST_P(EndpointThreads, all_threads_of_both_nodes_ask_for_much) {
  OPEN(2);
  constexpr int threads = 4, gets = 300;
  const std::vector<char> data = pattern(get_by_record, 1);
  for (int node = 0; node < 2; ++node) std::memcpy(world->memory(node, 0), data.data(), data.size());
  const auto work = [&](int node) {
    Pending pending = 0;
    std::vector<char> got(get_by_record);
    for (int i = 0; i < gets; ++i)
      world->at(node).get(&pending, got.data(), world->place(1 - node, 0), got.size(), true);
    world->at(node).quiet(&pending);
    EXPECT_EQ(got, data);
  };
  std::vector<std::thread> all;
  for (int i = 0; i < 2 * threads; ++i) all.emplace_back(work, i % 2);
  for (auto& each : all) each.join();
  close(2);
}

// Whoever looks at the network posts it for the one that sleeps.
TEST(Endpoint, what_was_refused_while_its_thread_sleeps_is_posted_once) {
  const WaitPolicy before = std::exchange(detail::chosen_policy, WaitPolicy{.spins = 0, .yields = 0});
  NetworkConditions conditions;
  conditions.refusal = 0.9;
  World world(conditions, 2, 1, 2, true);
  constexpr size_t bytes = 2 * put_by_record;
  const auto work = [&](uint64_t thread) {
    Pending pending = 0;
    for (int round = 1; round <= 50; ++round) {
      const std::vector<char> data(bytes, static_cast<char>(round));
      world.at(0).put(&pending, world.place(1, thread * bytes), data.data(), bytes, true);
      world.at(0).quiet(&pending);
      ASSERT_EQ(std::memcmp(world.memory(1, thread * bytes), data.data(), bytes), 0);
    }
  };
  EXPECT_TRUE(world.at(1).start_progress_thread());
  std::vector<std::thread> all;
  for (uint64_t thread = 0; thread < 4; ++thread) all.emplace_back(work, thread);
  for (auto& each : all) each.join();
  EXPECT_EQ(world.at(0).liveness().newest_transfer, 200u);
  EXPECT_EQ(world.at(0).liveness().oldest_transfer, 0u);
  for (int node : {0, 1}) world.end(node);
  detail::chosen_policy = before;
}

// Between real memories: the target's bytes are looked at the moment quiet returns.
TEST_P(EndpointThreads, quiet_is_honest) {
  OPEN(2);
  Pending pending = 0;
  uint64_t misses = 0;
  for (int round = 1; round <= 600; ++round) {
    const size_t bytes = size_t{8} << round % 13;
    const std::vector<char> data(bytes, static_cast<char>(round));
    world->at(0).put(&pending, world->place(1, 0), data.data(), bytes, round % 2 == 0);
    world->at(0).quiet(&pending);
    misses += std::memcmp(world->memory(1, 0), data.data(), bytes) != 0;
  }
  EXPECT_EQ(misses, 0u);
  close(2);
}

TEST_P(EndpointThreads, all_may_go_at_once_after_they_have_met) {
  for (int round = 0; round < 5; ++round) {
    OPEN(3);
    std::barrier met(3);
    std::vector<std::thread> all;
    for (int node = 0; node < 3; ++node) {
      all.emplace_back([&, node] {
        Pending pending = 0;
        std::vector<char> got(size_t{4} * get_by_record);  // whose answers ask for answers
        for (int to = 0; to < 3; ++to) {
          if (to == node) continue;
          world->at(node).raise(world->place(to, 8 * static_cast<uint64_t>(node)), 1, {}, nullptr, 0);
          for (size_t part = 0; part < 4; ++part)
            world->at(node).get(&pending, &got[part * get_by_record], world->place(to, 64), get_by_record,
                                true);
        }
        leave(node, met);
        EXPECT_EQ(pending, 0u);
      });
    }
    for (auto& each : all) each.join();
    for (int node = 0; node < 3; ++node) {
      for (int from = 0; from < 3; ++from) {
        if (from == node) continue;
        EXPECT_EQ(world->word(node, 8 * static_cast<uint64_t>(from)), 1u);
      }
    }
    EXPECT_TRUE(world->failures.empty()) << world->failures[0];
    world.reset();
  }
}

}  // namespace
}  // namespace atrium
