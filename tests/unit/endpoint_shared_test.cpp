// Several actors at one endpoint: threads of its PE, and the PE that uses it as a client. What one of them does later holds up
// nobody, and what one waits for is not taken as seen by another.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "endpoint_world.hpp"

namespace atrium {
namespace {

constexpr size_t much = 100000;  // more than a record carries
constexpr uint64_t flag_at = 200000, other_at = 200016;

// The engine may let messages overtake writes.
NetworkConditions loose(uint64_t seed) {
  NetworkConditions conditions = conditions_of(seed);
  conditions.sends_after_writes = false;
  return conditions;
}

// Node 1's PE sees the flag: does it see what was put before the fence?
class Look {
 public:
  explicit Look(World& world) : world_(world) {}
  void operator()() {
    if (world_.word(1, flag_at) != 1) return;
    const char* data = world_.memory(1, 0);
    broken |= !std::all_of(data, data + much, [](char byte) { return byte == 1; });
  }
  bool broken = false;

 private:
  World& world_;
};

TEST(SharedEndpoint, a_clients_fence_holds_while_the_owner_waits_behind_it) {
  for (uint64_t seed = 1; seed <= 150; ++seed) {
    World world(loose(seed), 2, World::Clients{2});
    Look look(world);
    world.watcher = [&] { look(); };
    Pending clients = 0, owners = 0;
    char* source = world.memory(0, 0, 1);
    std::memset(source, 1, much);
    world.client(0).put(&clients, world.place(1, 0), source, much, true);
    world.client(0).fence();
    for (int i = 0; i < 3; ++i) world.at(0).progress();  // the owner executes both; the write is under way
    world.client(0).change(&clients, world.place(1, flag_at), {WordOp::set, 8, 1});
    const uint64_t five = 5;
    world.at(0).put(&owners, world.place(1, other_at), &five, 8);
    world.client(0).quiet(&clients);
    world.at(0).quiet(&owners);
    EXPECT_FALSE(look.broken) << "seed " << seed;
    EXPECT_EQ(world.word(1, flag_at), 1u);
  }
}

// The owner's threads may sleep after that turn, until something comes.
TEST(SharedEndpoint, what_a_clients_command_waits_for_is_asked_for_in_the_turn_that_finds_it) {
  World world(ideal(), 2, World::Clients{2});
  Pending pending = 0;
  char* source = world.memory(0, 0, 1);
  world.client(0).put(&pending, world.place(1, other_at), source, 8, true);
  world.client(0).fence();
  world.client(0).put(&pending, world.place(1, 0), source, much, true);
  world.at(0).progress();
  for (int i = 0; i < 3; ++i) world.at(1).progress();
  EXPECT_EQ(world.at(1).messages_sent(), 1u) << "an acknowledgement of the small put";
  world.client(0).quiet(&pending);
}

TEST(SharedEndpoint, a_threads_fence_holds_for_another_thread_while_the_first_waits_behind_it) {
  for (uint64_t seed = 1; seed <= 150; ++seed) {
    World world(loose(seed), 2);
    Look look(world);
    Pending pending = 0;
    const std::vector<char> ones(much, 1);
    const uint64_t one = 1, five = 5;
    bool other_may = false;
    world.watcher = [&] {
      if (std::exchange(other_may, false)) world.at(0).put(&pending, world.place(1, flag_at), &one, 8);
      look();
    };
    world.at(0).put(&pending, world.place(1, 0), ones.data(), much, true);
    world.at(0).fence();
    other_may = true;  // the other thread runs when this one has let go of the lock
    world.at(0).put(&pending, world.place(1, other_at), &five, 8);
    world.settle(10);
    world.at(0).quiet(&pending);
    EXPECT_FALSE(look.broken) << "seed " << seed;
    EXPECT_EQ(world.word(1, flag_at), 1u);
  }
}

// Another thread, or a client, begins a large put at each turn, until it has begun so many. Whether `act` ends before that.
template <class Put, class Act>
bool ends_before_stream(World& world, Put put, Act act) {
  constexpr int most = 3000;
  int begun = 0;
  bool within = false;
  world.watcher = [&] {
    if (begun == most || std::exchange(within, true)) return;
    ++begun;
    put();
    within = false;
  };
  for (int i = 0; i < 20; ++i) world.everybody_turns();
  act();
  const bool ends = begun < most;
  world.watcher = nullptr;
  return ends;
}

using Act = void (*)(World& world, Pending& pending);
constexpr size_t to_get = 16384;
char got[to_get];
const Act acts[] = {
    [](World& world, Pending& pending) { world.at(0).get(&pending, got, world.place(1, 0), to_get, false); },
    [](World& world, Pending& pending) { world.at(0).get(&pending, got, world.place(1, 0), 16, false); },
    [](World& world, Pending& pending) {
      const int node = 1;
      world.at(0).quiet_nodes(&pending, &node, 1);
    },
    [](World& world, Pending&) { world.at(0).quiet_all(); },
    [](World& world, Pending& pending) {
      world.at(0).put_signal(&pending, world.place(1, 0), got, 8, world.place(1, flag_at),
                             {WordOp::set, 8, 1});
    },
    [](World& world, Pending&) { world.at(0).raise(world.place(1, flag_at), 1, world.place(1, 0), got, 8); },
    [](World& world, Pending& pending) {
      world.at(0).fence();
      world.at(0).put(&pending, world.place(1, 0), got, to_get);
      world.at(0).quiet(&pending);
    },
};

TEST(SharedEndpoint, what_another_thread_goes_on_putting_holds_up_nobody) {
  for (const bool keeps_order : {true, false}) {
    for (size_t i = 0; i < std::size(acts); ++i) {
      NetworkConditions conditions = conditions_of(7 * i + 1);
      conditions.sends_after_writes = keeps_order;
      World world(conditions, 2);
      Pending streams = 0, mine = 0;
      const std::vector<char> data(20000, 1);
      const auto put = [&] {
        world.at(0).put(&streams, world.place(1, 100000), data.data(), data.size(), true);
      };
      EXPECT_TRUE(ends_before_stream(world, put, [&] { acts[i](world, mine); }))
          << "act " << i << (keeps_order ? "" : ", messages overtake writes");
      world.at(0).quiet(&streams);
    }
  }
}

TEST(SharedEndpoint, what_the_owner_goes_on_putting_holds_up_no_client) {
  for (const bool keeps_order : {true, false}) {
    for (const size_t bytes : {size_t{16}, to_get}) {
      NetworkConditions conditions = conditions_of(bytes);
      conditions.sends_after_writes = keeps_order;
      World world(conditions, 2, World::Clients{2});
      Pending streams = 0, mine = 0;
      const std::vector<char> data(20000, 1);
      const auto put = [&] {
        world.at(0).put(&streams, world.place(1, 100000), data.data(), data.size(), true);
      };
      EXPECT_TRUE(ends_before_stream(
          world, put,
          [&] {
            world.client(0).get(&mine, world.memory(0, 0, 1), world.place(1, 0), bytes, false);
            world.client(0).fence();
            world.client(0).put(&mine, world.place(1, 0), world.memory(0, 0, 1), bytes);
            world.client(0).quiet(&mine);
          }))
          << bytes << (keeps_order ? "" : ", messages overtake writes");
      world.at(0).quiet(&streams);
    }
  }
}

// On the very context, so that it never has nothing under way.
TEST(SharedEndpoint, quiet_waits_for_nothing_that_another_thread_begins_after_it) {
  for (const bool keeps_order : {true, false}) {
    for (const size_t bytes : {size_t{8}, much}) {
      NetworkConditions conditions = conditions_of(bytes);
      conditions.sends_after_writes = keeps_order;
      World world(conditions, 3);
      Pending pending = 0;
      const std::vector<char> stream(bytes, 1), mine(much, 2);
      const auto put = [&] { world.at(0).put(&pending, world.place(1, 0), stream.data(), bytes, true); };
      EXPECT_TRUE(ends_before_stream(world, put,
                                     [&] {
                                       std::vector<char> got(get_by_record);
                                       std::memset(world.memory(1, much), 2, got.size());
                                       world.at(0).get(&pending, got.data(), world.place(1, much), got.size(),
                                                       true);
                                       world.at(0).put(&pending, world.place(2, 0), mine.data(), much, true);
                                       world.at(0).quiet(&pending);
                                       EXPECT_EQ(std::memcmp(world.memory(2, 0), mine.data(), much), 0);
                                       EXPECT_EQ(std::memcmp(got.data(), mine.data(), got.size()), 0);
                                     }))
          << bytes << (keeps_order ? "" : ", messages overtake writes");
      world.at(0).quiet(&pending);
      EXPECT_EQ(pending, 0u);
    }
  }
}

TEST(SharedEndpoint, a_clients_quiet_waits_for_nothing_that_another_thread_begins_after_it) {
  NetworkConditions conditions;
  conditions.refusal = 0;  // the owner, who would let the stream wait for itself in this one thread
  World world(conditions, 3, World::Clients{2});
  Pending pending = 0;
  const auto put = [&] {
    for (int i = 0; i < 20; ++i)
      world.client(0).put(&pending, world.place(1, 0), world.memory(0, 0, 1), 8, true);
  };
  EXPECT_TRUE(ends_before_stream(world, put, [&] {
    for (int round = 1; round <= 3; ++round) {
      char got[8] = {};
      const std::vector<char> mine(much, static_cast<char>(round));
      std::memset(world.memory(1, much), round, sizeof got);
      world.client(0).get(&pending, got, world.place(1, much), sizeof got, true);
      world.client(0).put(&pending, world.place(2, 0), mine.data(), much, true);
      world.client(0).quiet(&pending);
      EXPECT_EQ(std::memcmp(world.memory(2, 0), mine.data(), much), 0);
      EXPECT_EQ(std::memcmp(got, mine.data(), sizeof got), 0);
    }
  }));
  world.client(0).quiet(&pending);
  EXPECT_EQ(pending, 0u);
}

// The stream is on one more context than a client has counters for.
TEST(SharedEndpoint, a_clients_quiet_waits_for_nothing_that_begins_later_on_a_context_with_the_same_counter) {
  NetworkConditions conditions;
  conditions.refusal = 0;
  World world(conditions, 2, World::Clients{2});
  std::vector<Pending> contexts(RingBlock::contexts + 1, 0);
  for (Pending& context : contexts)
    world.client(0).change(&context, world.place(1, flag_at), {WordOp::add, 8, 1});
  const auto put = [&] {
    for (int i = 0; i < 20; ++i)
      world.client(0).put(&contexts.back(), world.place(1, 0), world.memory(0, 0, 1), 8, true);
  };
  EXPECT_TRUE(ends_before_stream(world, put, [&] {
    for (int round = 0; round < 3; ++round) {
      for (size_t i = 0; i + 1 < contexts.size(); ++i) {
        world.client(0).quiet(&contexts[i]);
        EXPECT_EQ(contexts[i], 0u);
        world.client(0).change(&contexts[i], world.place(1, flag_at), {WordOp::add, 8, 1});
      }
    }
  }));
  for (Pending& context : contexts) {
    world.client(0).quiet(&context);
    EXPECT_EQ(context, 0u);
  }
}

// More than may be under way, so that each reply makes room for one.
TEST(SharedEndpoint, what_a_client_goes_on_fetching_holds_up_neither_the_owner_nor_another_client) {
  for (const bool by_client : {false, true}) {
    World world(conditions_of(5), 2, World::Clients{3});
    Pending streams = 0, mine = 0;
    const auto get = [&] {
      for (int i = 0; i < 40; ++i)
        world.client(0, 1).get(&streams, world.memory(0, 0, 1), world.place(1, 0), get_by_record, true);
    };
    EXPECT_TRUE(ends_before_stream(world, get, [&] {
      for (int i = 0; i < 3; ++i) {
        if (by_client) {
          world.client(0, 2).get(&mine, world.memory(0, 0, 2), world.place(1, 0), get_by_record);
          world.client(0, 2).fetch_change(world.place(1, flag_at), {WordOp::add, 8, 1});
        } else {
          world.at(0).get(&mine, world.memory(0, 0), world.place(1, 0), get_by_record);
          world.at(0).fetch_change(world.place(1, flag_at), {WordOp::add, 8, 1});
        }
      }
    })) << (by_client ? "client" : "owner");
    world.client(0, 1).quiet(&streams);
  }
}

TEST(SharedEndpoint, a_clients_quiet_waits_for_its_own_context_however_often_it_is_called) {
  World world(conditions_of(3), 2, World::Clients{2});
  Pending streams = 0, mine = 0;
  int turns = 0;
  const auto put = [&] {  // as often as the network can take them
    if (++turns % 8 != 0) return;
    world.client(0).put(&streams, world.place(1, 100000), world.memory(0, 0, 1), 20000, true);
  };
  EXPECT_TRUE(ends_before_stream(world, put, [&] {
    for (int i = 0; i < 3 * RingBlock::contexts; ++i) {
      world.client(0).change(&mine, world.place(1, flag_at), {WordOp::add, 8, 1});
      world.client(0).quiet(&mine);
    }
  }));
  world.client(0).quiet(&streams);
}

}  // namespace
}  // namespace atrium
