// Threads of a PE without an endpoint, while its owner executes nothing: who waits for room keeps nobody else.
// SPDX-License-Identifier: BSD-3-Clause
#include <sched.h>

#include <atomic>
#include <thread>

#include "endpoint_world.hpp"
#include "network/ring_client.hpp"

namespace atrium {
namespace {

std::atomic<int> waiting{0};  // threads that have found that they must

class RingThreads : public testing::Test {
 protected:
  RingThreads() : world(ideal(), 2, World::Clients{2}), client(plan()) { waiting = 0; }

  RingClientPlan plan() {
    RingClientPlan plan;
    plan.mine = world.block_of(0, 1);
    plan.mine_at = static_cast<uint64_t>(reinterpret_cast<char*>(plan.mine) - world.memory(0, 0)) +
                   world.place(0, 0).offset;
    plan.bell = &world.block_of(0, 0)->bell;
    plan.offset_of = [](void*, const void*, size_t) { return RingClientPlan::not_symmetric; };
    plan.idle = [](void*) {
      thread_local const int counted = waiting.fetch_add(1);
      (void)counted;
      ::sched_yield();
    };
    return plan;
  }
  static void await_waiting(int threads) {
    while (waiting < threads) ::sched_yield();
  }
  // All that was begun is executed, while that thread goes on.
  void drive_until_over(std::thread& thread) {
    std::atomic<bool> over{false};
    std::thread watcher([&] { thread.join(), over = true; });
    while (!over) world.everybody_turns();
    watcher.join();
  }
  // One of a context's is executed, and nobody has been quiet yet.
  void issue_one(Pending* pending) {
    client.change(pending, world.place(1, 0), {WordOp::add, 8, 1});
    world.settle(20);
    world.at(0).quiet_all();
  }

  World world;
  RingClient client;
  Pending streams = 0, mine = 0;
};

// (Else it never does, here.)
TEST_F(RingThreads, quiet_of_another_context_returns_while_a_stream_waits_for_room) {
  issue_one(&mine);
  std::thread stream([&] {
    for (uint64_t i = 0; i < 2000; ++i) client.put(&streams, world.place(1, 64), &i, 8);
  });
  await_waiting(1);
  client.quiet(&mine);
  EXPECT_EQ(mine, 0u);
  EXPECT_NE(streams, 0u);
  drive_until_over(stream);
}

TEST_F(RingThreads, quiet_of_another_context_returns_while_results_are_on_their_way) {
  issue_one(&mine);
  std::vector<uint64_t> olds(100, 77);
  for (uint64_t& old : olds)
    client.fetch_change_later(&streams, world.place(1, 64), {WordOp::add, 8, 1}, &old);
  client.quiet(&mine);
  EXPECT_EQ(mine, 0u);
  std::thread quiet([&] { client.quiet(&streams); });
  drive_until_over(quiet);
  for (uint64_t i = 0; i < olds.size(); ++i) ASSERT_EQ(olds[i], i);
}

// A large command does not starve behind small ones that always find room.
TEST_F(RingThreads, who_waits_for_room_is_not_overtaken) {
  std::vector<char> large(put_by_record, 7);
  for (int i = 0; i < 7; ++i) client.put(&streams, world.place(1, 64), large.data(), large.size());
  std::thread first([&] { client.put(&streams, world.place(1, 64), large.data(), large.size()); });
  await_waiting(1);
  std::atomic<bool> overtaken{false};
  std::thread second([&] {
    client.change(&mine, world.place(1, 0), {WordOp::add, 8, 1});
    overtaken = true;
  });
  while (waiting < 2 && !overtaken) ::sched_yield();
  EXPECT_FALSE(overtaken);
  drive_until_over(first);
  drive_until_over(second);
}

}  // namespace
}  // namespace atrium
