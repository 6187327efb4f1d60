// PEs without an endpoint against the promises of an endpoint, over a network that does everything it may.
// SPDX-License-Identifier: BSD-3-Clause
#include "network/ring_client.hpp"

#include <algorithm>
#include <cstring>

#include "endpoint_world.hpp"

namespace atrium {
namespace {

constexpr size_t sizes[] = {1, 3, 8, 100, 8192, 8193, 20000, 65536, 100000, 300000};

using Clients = World::Clients;

TEST(RingClient, a_put_of_each_size_is_there_after_quiet) {
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    World world(conditions_of(seed), 2, Clients{2});
    Pending pending = 0;
    for (size_t bytes : sizes) {
      for (const bool symmetric : {false, true}) {
        const auto data = pattern(bytes, seed + symmetric);
        const char* source = data.data();
        if (symmetric) source = std::copy(data.begin(), data.end(), world.memory(0, 0, 1)) - data.size();
        world.client(0).put(&pending, world.place(1, 64, 1), source, bytes, symmetric && bytes % 2 == 0);
        ASSERT_NE(pending, 0u);
        world.client(0).quiet(&pending);
        ASSERT_EQ(pending, 0u);
        ASSERT_EQ(std::memcmp(world.memory(1, 64, 1), data.data(), bytes), 0) << bytes << " seed " << seed;
      }
    }
    ASSERT_TRUE(world.failures.empty()) << world.failures[0];
  }
}

TEST(RingClient, the_source_of_a_blocking_put_may_be_written_at_return) {
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    World world(conditions_of(seed), 2, Clients{2});
    Pending pending = 0;
    for (size_t bytes : sizes) {
      for (const bool symmetric : {false, true}) {
        auto data = pattern(bytes, seed);
        const auto expected = data;
        char* source = symmetric ? world.memory(0, 0, 1) : data.data();
        std::copy(expected.begin(), expected.end(), source);
        world.client(0).put(&pending, world.place(1, 0), source, bytes);
        std::fill_n(source, bytes, 'z');
        world.client(0).quiet(&pending);
        ASSERT_EQ(std::memcmp(world.memory(1, 0), expected.data(), bytes), 0) << bytes << " seed " << seed;
      }
    }
  }
}

TEST(RingClient, a_get_of_each_size_brings_what_is_there) {
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    World world(conditions_of(seed), 2, Clients{2});
    Pending pending = 0;
    for (size_t bytes : sizes) {
      const auto data = pattern(bytes, seed);
      std::memcpy(world.memory(1, 8), data.data(), bytes);
      for (int way = 0; way < 4; ++way) {
        std::vector<char> got(bytes, 'x');
        char* dest = way % 2 == 0 ? got.data() : std::fill_n(world.memory(0, 0, 1), bytes, 'x') - bytes;
        world.client(0).get(&pending, dest, world.place(1, 8), bytes, way >= 2);
        if (way >= 2) world.client(0).quiet(&pending);
        ASSERT_EQ(std::memcmp(dest, data.data(), bytes), 0) << bytes << " seed " << seed << " way " << way;
      }
    }
    ASSERT_TRUE(world.failures.empty()) << world.failures[0];
  }
}

TEST(RingClient, many_nonblocking_results_arrive_where_they_belong) {
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    World world(conditions_of(seed), 2, Clients{2});
    constexpr int words = 9000;  // more than the buffer of results holds
    std::vector<uint64_t> olds(words, 77);
    Pending pending = 0;
    for (uint64_t& old : olds)
      world.client(0).fetch_change_later(&pending, world.place(1, 0), {WordOp::add, 8, 1}, &old);
    world.client(0).quiet(&pending);
    for (int i = 0; i < words; ++i) ASSERT_EQ(olds[static_cast<size_t>(i)], static_cast<uint64_t>(i));
    EXPECT_EQ(world.word(1, 0), static_cast<uint64_t>(words));
  }
}

TEST(RingClient, replies_do_not_pile_up_at_the_target_however_much_is_asked_for) {
  World world(ideal(), 2, Clients{4});
  Pending pending[4] = {};
  for (int i = 0; i < 1000; ++i) {
    for (int local = 1; local < 4; ++local)
      world.client(0, local).get(&pending[local], world.memory(0, 0, local), world.place(1, 0), get_by_record,
                                 true);
  }
  for (int local = 1; local < 4; ++local) world.client(0, local).quiet(&pending[local]);
  EXPECT_LE(world.at(1).messages_kept(), few_messages);
}

TEST(RingClient, blocks_go_and_come) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    World world(conditions_of(seed), 2, Clients{2});
    Pending pending = 0;
    const auto data = pattern(4000, seed);
    world.client(0).put_blocks(&pending, world.place(1, 0), data.data(), 24, 8, 8, 500);
    for (const bool later : {false, true}) {
      std::vector<char> got(4000, 'x');
      world.client(0).get_blocks(&pending, got.data(), world.place(1, 0), 8, 24, 8, 500, later);
      world.client(0).quiet(&pending);
      ASSERT_EQ(got, data);
    }
    for (size_t i = 0; i < 500; ++i)
      ASSERT_EQ(std::memcmp(world.memory(1, 24 * i), data.data() + 8 * i, 8), 0);
  }
}

// After quiet a third party looks at the target's memory: no store may be missing.
TEST(RingClient, quiet_is_honest) {
  uint64_t misses = 0;
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    World world(conditions_of(seed), 3, Clients{2});
    Pending pending = 0;
    for (int round = 1; round <= 30; ++round) {
      const size_t bytes = sizes[(seed + static_cast<uint64_t>(round)) % std::size(sizes)];
      const std::vector<char> data(bytes, static_cast<char>(round));
      const int node = 1 + round % 2;
      world.client(0).put(&pending, world.place(node, 0), data.data(), bytes, round % 3 == 0);
      if (round % 4 == 0) continue;
      world.client(0).quiet(&pending);
      misses += std::memcmp(world.memory(node, 0), data.data(), bytes) != 0;
    }
  }
  EXPECT_EQ(misses, 0u);
}

// Whoever sees a signal, or what is behind a fence, sees what was issued before it.
TEST(RingClient, signals_and_fences_keep_their_order) {
  uint64_t seen = 0;
  for (uint64_t seed = 1; seed <= 150; ++seed) {
    World world(conditions_of(seed), 2, Clients{2});
    Pending pending = 0;
    const size_t bytes = sizes[seed % std::size(sizes)];
    const std::vector<char> ones(bytes, 1);
    bool broken = false;
    world.watcher = [&] {
      const uint64_t value = world.word(1, 400000);
      if (value >= 1) ++seen, broken |= std::memcmp(world.memory(1, 0), ones.data(), bytes) != 0;
      if (value >= 2) broken |= world.word(1, 400008) != 5;
    };
    if (seed % 2 == 0) {
      world.client(0).put_signal(&pending, world.place(1, 0), ones.data(), bytes, world.place(1, 400000),
                                 {WordOp::set, 8, 1});
    } else {
      world.client(0).put(&pending, world.place(1, 0), ones.data(), bytes);
      world.client(0).fence();
      world.client(0).change(&pending, world.place(1, 400000), {WordOp::set, 8, 1});
    }
    const uint64_t five = 5;
    world.client(0).raise(world.place(1, 400000), 2, world.place(1, 400008), &five, 8);
    world.client(0).quiet_all();
    EXPECT_EQ(pending, 0u);
    world.settle(10);
    EXPECT_EQ(world.word(1, 400000), 2u);
    EXPECT_FALSE(broken) << "seed " << seed;
    ASSERT_TRUE(world.failures.empty()) << world.failures[0];
  }
  EXPECT_GT(seen, 0u);
}

// Clients and owners of all nodes add to one word, on more contexts than a client has counters.
TEST(RingClient, everybody_adds_to_one_word) {
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    World world(conditions_of(seed), 3, Clients{4});
    std::vector<Pending> contexts(RingBlock::contexts + 10, 0);
    Pending owners = 0;
    uint64_t sum = 0;
    for (uint64_t round = 0; round < 40; ++round) {
      for (int local = 1; local < 4; ++local) {
        world.client(1, local).change(&contexts[(round + static_cast<uint64_t>(local)) % contexts.size()],
                                      world.place(0, 0), {WordOp::add, 8, round});
        world.client(2, local).fetch_change(world.place(0, 0), {WordOp::add, 8, 1});
        sum += round + 1;
      }
      world.at(1).change(&owners, world.place(0, 0), {WordOp::add, 8, 1});
      ++sum;
    }
    for (Pending& context : contexts) {
      for (int local = 1; local < 4; ++local) world.client(1, local).quiet(&context);
      ASSERT_EQ(context, 0u);
    }
    world.at(1).quiet(&owners);
    ASSERT_EQ(world.word(0, 0), sum) << "seed " << seed;
  }
}

TEST(RingClient, a_command_that_names_memory_of_others_is_refused) {
  World world(ideal(), 2, Clients{2});
  RingBlock& block = *world.block_of(0, 1);
  Command* command = block.ring.reserve(command_size(0));
  *command = Command{};
  command->size = command_size(0);
  command->kind = OperationKind::put;
  command->place = world.place(1, 0);
  command->bytes = 10000;
  command->here = world.place(0, 0, 0).offset;
  block.ring.publish(command->size);
  world.settle(3);
  ASSERT_EQ(world.failures.size(), 1u);
}

}  // namespace
}  // namespace atrium
