// Endpoints against their promises, over a network that does everything it may.
// SPDX-License-Identifier: BSD-3-Clause
#include "network/endpoint.hpp"

#include <algorithm>
#include <cstring>

#include "endpoint_world.hpp"

namespace atrium {
namespace {

constexpr size_t sizes[] = {1, 2, 3, 4, 8, 13, 100, 1024, 1025, 8192, 8193, 20000, 60000};

TEST(Endpoint, a_put_of_each_size_is_there_after_quiet) {
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    World world(conditions_of(seed), 2);
    Pending pending = 0;
    for (size_t bytes : sizes) {
      const auto data = pattern(bytes, seed);
      world.at(0).put(&pending, world.place(1, 64, 1), data.data(), bytes);
      world.at(0).quiet(&pending);
      ASSERT_EQ(pending, 0u);
      ASSERT_EQ(std::memcmp(world.memory(1, 64, 1), data.data(), bytes), 0) << bytes << " seed " << seed;
    }
    ASSERT_TRUE(world.failures.empty()) << world.failures[0];
  }
}

TEST(Endpoint, a_get_of_each_size_brings_what_is_there) {
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    World world(conditions_of(seed), 2);
    for (size_t bytes : sizes) {
      const auto data = pattern(bytes, seed);
      std::memcpy(world.memory(1, 8), data.data(), bytes);
      std::vector<char> got(bytes, 'x');
      world.at(0).get(nullptr, got.data(), world.place(1, 8), bytes);
      ASSERT_EQ(got, data) << bytes << " seed " << seed;
    }
  }
}

// After quiet a third party looks at the target's memory: no store may be missing.
TEST(Endpoint, quiet_is_honest) {
  uint64_t misses = 0, rounds = 0;
  for (uint64_t seed = 1; seed <= 150; ++seed) {
    World world(conditions_of(seed), 3);
    Pending pending = 0;
    for (int round = 1; round <= 30; ++round, ++rounds) {
      const size_t bytes = sizes[(seed + static_cast<uint64_t>(round)) % std::size(sizes)];
      const std::vector<char> data(bytes, static_cast<char>(round));
      const int node = 1 + round % 2;
      world.at(0).put(&pending, world.place(node, 0), data.data(), bytes, round % 3 == 0);
      if (round % 4 == 0 && round % 3 != 0) continue;
      world.at(0).quiet(&pending);
      misses += std::memcmp(world.memory(node, 0), data.data(), bytes) != 0;
    }
  }
  EXPECT_EQ(misses, 0u) << "of " << rounds;
}

TEST(Endpoint, quiet_looks_at_channels_with_something_under_way_and_at_no_others) {
  constexpr int nodes = 40;
  World world(conditions_of(3), nodes);
  Endpoint& me = world.at(0);
  Pending pending = 0;
  const std::vector<char> large(100'000, 1);
  for (int node = 1; node < nodes; ++node) {
    const bool few = node % 3 != 0;
    me.put(&pending, world.place(node, 0), large.data(), few ? 8 : large.size(), true);
  }
  me.quiet(&pending);
  EXPECT_EQ(me.channels_of_last_quiet(), nodes - 1u);
  world.settle(100);
  std::vector<char> back(large.size());
  me.get(&pending, back.data(), world.place(3, 0), back.size(), true);
  me.put(&pending, world.place(7, 0), large.data(), 8, true);
  me.quiet(&pending);
  EXPECT_EQ(back, large);
  EXPECT_EQ(me.channels_of_last_quiet(), 2u);
  me.quiet_all();
  EXPECT_LE(me.channels_of_last_quiet(), 2u);
}

// Whoever sees what was put behind a fence sees what was put before it, whichever way the two travel.
// A network may refuse all of its receive buffers at first.
TEST(Endpoint, receives_that_were_refused_are_posted_later) {
  NetworkConditions conditions = ideal();
  conditions.refusal = 0.95;
  World world(conditions, 2);
  Pending pending = 0;
  for (uint64_t value = 1; value <= 20; ++value) {
    world.at(0).put(&pending, world.place(1, 0), &value, 8);
    world.at(0).quiet(&pending);
    ASSERT_EQ(world.word(1, 0), value);
  }
  EXPECT_TRUE(world.failures.empty());
}

TEST(Endpoint, what_is_behind_a_fence_is_not_seen_before_what_is_before_it) {
  uint64_t seen = 0;
  for (uint64_t seed = 1; seed <= 150; ++seed) {
    World world(conditions_of(seed), 2);
    Pending pending = 0;
    const size_t first = sizes[seed % std::size(sizes)], second = sizes[seed / 13 % std::size(sizes)];
    const std::vector<char> ones(first, 1), twos(second, 2);
    bool broken = false;
    world.watcher = [&] {
      const bool behind =
          std::any_of(world.memory(1, 0, 1), world.memory(1, 0, 1) + second, [](char c) { return c != 0; });
      const bool before =
          std::all_of(world.memory(1, 0), world.memory(1, 0) + first, [](char c) { return c == 1; });
      broken = broken || (behind && !before);
      seen += behind && before;
    };
    world.at(0).put(&pending, world.place(1, 0), ones.data(), first, true);
    world.at(0).fence();
    world.at(0).put(&pending, world.place(1, 0, 1), twos.data(), second, true);
    world.at(0).quiet(&pending);
    EXPECT_FALSE(broken) << "seed " << seed << ", " << first << " then " << second;
  }
  EXPECT_GT(seen, 0u);
}

TEST(Endpoint, a_put_that_may_be_copied_goes_behind_a_fence_without_waiting) {
  World world(ideal(), 2);
  Pending pending = 0;
  const std::vector<char> data = pattern(20'000, 3);
  bool waited = false;
  world.watcher = [&] { waited = true; };
  world.at(0).put(&pending, world.place(1, 0, 1), data.data(), 8, false);
  world.at(0).fence();
  world.at(0).put_signal(&pending, world.place(1, 0), data.data(), data.size(), world.place(1, 30'000),
                         {WordOp::set, 8, 7}, false);
  EXPECT_FALSE(waited);
  world.at(0).quiet(&pending);
  EXPECT_EQ(std::memcmp(world.memory(1, 0), data.data(), data.size()), 0);
  EXPECT_EQ(world.word(1, 30'000), 7u);
}

TEST(Endpoint, a_signal_is_not_seen_before_its_data) {
  for (uint64_t seed = 1; seed <= 150; ++seed) {
    World world(conditions_of(seed), 2);
    Pending pending = 0;
    const size_t bytes = sizes[seed % std::size(sizes)];
    const std::vector<char> data(bytes, 5);
    bool broken = false;
    world.watcher = [&] {
      const bool whole =
          std::all_of(world.memory(1, 0), world.memory(1, 0) + bytes, [](char c) { return c == 5; });
      broken = broken || (world.word(1, 0, 1) != 0 && !whole);
    };
    world.at(0).put_signal(&pending, world.place(1, 0), data.data(), bytes, world.place(1, 0, 1),
                           {WordOp::add, 8, 3}, seed % 2 == 0);
    for (int turns = 0; turns < 100000 && world.word(1, 0, 1) == 0; ++turns) world.everybody_turns();
    EXPECT_EQ(world.word(1, 0, 1), 3u) << "it arrives without a quiet, seed " << seed;
    EXPECT_FALSE(broken) << "seed " << seed << ", " << bytes;
    world.at(0).quiet(&pending);
  }
}

TEST(Endpoint, a_raised_flag_is_not_seen_before_its_letter_nor_what_was_put_before_it) {
  for (uint64_t seed = 1; seed <= 150; ++seed) {
    World world(conditions_of(seed), 2);
    Pending pending = 0;
    const size_t bytes = sizes[seed % std::size(sizes)], letter_bytes = sizes[seed / 13 % std::size(sizes)];
    const std::vector<char> data(bytes, 6);
    std::vector<char> letter = pattern(letter_bytes, seed);
    const auto is_there = [&](int local, size_t offset, const std::vector<char>& expected) {
      return std::memcmp(world.memory(1, offset, local), expected.data(), expected.size()) == 0;
    };
    const std::vector<char> written = letter;
    bool broken = false;
    world.watcher = [&] {
      if (world.word(1, 8, 1) == 9) broken = broken || !is_there(0, 0, data) || !is_there(1, 16, written);
    };
    world.at(0).put(&pending, world.place(1, 0), data.data(), bytes, true);
    world.at(0).raise(world.place(1, 8, 1), 9, world.place(1, 16, 1), letter.data(), letter_bytes);
    std::fill(letter.begin(), letter.end(), 'x');  // it may be used again
    for (int turns = 0; turns < 100000 && world.word(1, 8, 1) == 0; ++turns) world.everybody_turns();
    EXPECT_EQ(world.word(1, 8, 1), 9u);
    EXPECT_FALSE(broken) << "seed " << seed << ", " << bytes << " and " << letter_bytes;
    world.at(0).quiet(&pending);
  }
}

template <class T>
T reference(WordOp op, T word, T x, T c) {
  switch (op) {
    case WordOp::fetch:
      return word;
    case WordOp::set:
    case WordOp::swap:
      return x;
    case WordOp::compare_swap:
      return word == c ? x : word;
    case WordOp::add:
      return static_cast<T>(word + x);
    case WordOp::bit_and:
      return word & x;
    case WordOp::bit_or:
      return word | x;
    case WordOp::bit_xor:
      return word ^ x;
    case WordOp::count:
      break;
  }
  return 0;
}

template <class T>
void check_changes(World& world, std::mt19937_64& random) {
  T model = 0;
  const Place place = world.place(1, 8);
  for (int round = 0; round < 200; ++round) {
    const auto op = static_cast<WordOp>(random() % static_cast<unsigned>(WordOp::count));
    const T x = static_cast<T>(random()), c = random() % 2 ? model : static_cast<T>(random());
    const WordChange change{op, sizeof(T), static_cast<uint64_t>(x), static_cast<uint64_t>(c)};
    const uint64_t old = world.at(0).fetch_change(place, change);
    if (op != WordOp::set) {
      ASSERT_EQ(static_cast<T>(old), model) << "op " << static_cast<int>(op);
    }
    model = reference<T>(op, model, x, c);
  }
  T last;
  std::memcpy(&last, world.memory(1, 8), sizeof last);
  EXPECT_EQ(last, model);
}

TEST(Endpoint, every_change_of_every_width_finds_and_leaves_what_it_should) {
  std::mt19937_64 random(5);
  World world(conditions_of(3), 2);
  check_changes<uint64_t>(world, random);
  std::memset(world.memory(1, 8), 0, 8);
  check_changes<uint32_t>(world, random);
  std::memset(world.memory(1, 8), 0, 8);
  check_changes<uint16_t>(world, random);
}

TEST(Endpoint, additions_from_all_nodes_and_from_next_door_add_up) {
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    World world(conditions_of(seed), 4);
    Pending pending[4] = {};
    uint64_t old[4][50];
    for (int round = 0; round < 50; ++round) {
      for (int node = 1; node < 4; ++node) {
        world.at(node).change(&pending[node], world.place(0, 0), {WordOp::add, 8, 1});
        world.at(node).fetch_change_later(&pending[node], world.place(0, 0), {WordOp::add, 8, 1},
                                          &old[node][round]);
      }
      __atomic_fetch_add(reinterpret_cast<uint64_t*>(world.memory(0, 0)), 1, __ATOMIC_RELAXED);
    }
    for (int node = 1; node < 4; ++node) world.at(node).quiet(&pending[node]);
    EXPECT_EQ(world.word(0, 0), 50u * 7);
    for (int node = 1; node < 4; ++node) EXPECT_TRUE(std::is_sorted(old[node], old[node] + 50));
  }
}

// By what the endpoints count, somebody who sees them all knows when nothing is under way, without anybody's quiet.
TEST(Endpoint, as_much_has_ended_as_has_begun_only_when_nothing_is_under_way) {
  constexpr uint64_t at = 128, large = 1024, fetched_from = 64;
  const auto small_data = pattern(100, 1), large_data = pattern(20000, 2);
  const auto under_way = [](World& world) {
    uint64_t sum = 0;
    for (int node = 0; node < 3; ++node)
      sum += world.at(node).traffic().begun - world.at(node).traffic().ended;
    return sum;
  };
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    World world(conditions_of(seed), 3);
    Pending pending = 0;
    uint64_t old = 99;
    std::vector<char> got(20000);
    std::memcpy(world.memory(2, large), large_data.data(), large_data.size());
    world.at(0).put(&pending, world.place(1, at), small_data.data(), small_data.size(), true);
    world.at(0).put(&pending, world.place(1, large), large_data.data(), large_data.size(), true);
    world.at(0).get(&pending, got.data(), world.place(2, large), got.size(), true);
    world.at(1).fetch_change_later(&pending, world.place(2, fetched_from), WordChange{WordOp::add, 8, 5},
                                   &old);
    ASSERT_NE(under_way(world), 0u) << "seed " << seed;
    for (int turn = 0; turn < 20000 && under_way(world) != 0; ++turn) world.everybody_turns();
    ASSERT_EQ(under_way(world), 0u) << "seed " << seed;
    EXPECT_EQ(std::memcmp(world.memory(1, at), small_data.data(), small_data.size()), 0) << "seed " << seed;
    EXPECT_EQ(std::memcmp(world.memory(1, large), large_data.data(), large_data.size()), 0)
        << "seed " << seed;
    EXPECT_EQ(got, large_data) << "seed " << seed;
    EXPECT_EQ(old, 0u) << "seed " << seed;
  }
}

TEST(Endpoint, strided_blocks_land_where_they_belong) {
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    World world(conditions_of(seed), 2);
    Pending pending = 0;
    const auto data = pattern(4000, seed);
    world.at(0).put_blocks(&pending, world.place(1, 0), data.data(), 24, 40, 8, 100);
    world.at(0).quiet(&pending);
    for (size_t i = 0; i < 100; ++i) ASSERT_EQ(std::memcmp(world.memory(1, 24 * i), &data[40 * i], 8), 0);
    std::vector<char> got(4000, 0);
    world.at(0).get_blocks(nullptr, got.data(), world.place(1, 0), 40, 24, 8, 100, false);
    for (size_t i = 0; i < 100; ++i) ASSERT_EQ(std::memcmp(&got[40 * i], &data[40 * i], 8), 0);
  }
}

TEST(Endpoint, strided_blocks_without_gaps_are_one_block) {
  World world(ideal(), 2);
  Pending pending = 0;
  const auto data = pattern(4000, 1);
  world.at(0).put_blocks(&pending, world.place(1, 0), data.data(), 1, 1, 1, 4000);
  world.at(0).quiet(&pending);
  EXPECT_EQ(std::memcmp(world.memory(1, 0), data.data(), 4000), 0);
  std::vector<char> got(4000);
  world.at(0).get_blocks(nullptr, got.data(), world.place(1, 0), 1, 1, 1, 4000, false);
  EXPECT_EQ(got, data);
  EXPECT_LE(world.at(0).messages_sent(), 4u);
}

TEST(Endpoint, small_records_gather_in_few_messages) {
  World world(ideal(), 2);
  Pending pending = 0;
  for (uint64_t i = 0; i < 1000; ++i) {
    const uint64_t value = i + 1;
    world.at(0).put(&pending, world.place(1, 8 * i), &value, 8);
  }
  world.at(0).quiet(&pending);
  EXPECT_LE(world.at(0).messages_sent(), 10u);
  for (uint64_t i = 0; i < 1000; ++i) ASSERT_EQ(world.word(1, 8 * i), i + 1);
}

TEST(Endpoint, a_put_that_is_followed_by_quiet_learns_to_ask_at_once) {
  World world(ideal(), 2);
  Pending pending = 0;
  const uint64_t value = 1;
  const auto round = [&] {
    const uint64_t before = world.at(0).messages_sent();
    world.at(0).put(&pending, world.place(1, 0), &value, 8);
    world.at(0).quiet(&pending);
    return world.at(0).messages_sent() - before;
  };
  EXPECT_EQ(round(), 2u) << "the put, and the question for its acknowledgement";
  for (int i = 0; i < 5; ++i) round();
  EXPECT_EQ(round(), 1u);
}

TEST(Endpoint, what_gathers_goes_out_without_a_further_call) {
  World world(ideal(), 2);
  Pending pending = 0;
  for (uint64_t i = 0; i < 100; ++i) {
    const uint64_t value = 1;
    world.at(0).put(&pending, world.place(1, 8 * i), &value, 8);
  }
  world.settle(10);
  for (uint64_t i = 0; i < 100; ++i) EXPECT_EQ(world.word(1, 8 * i), 1u);
}

TEST(Endpoint, replies_do_not_pile_up_at_the_target_however_much_is_asked_for) {
  for (const NetworkConditions& conditions : {ideal(), conditions_of(3)}) {
    World world(conditions, 2);
    Pending pending = 0;
    std::vector<char> got(get_by_record);
    for (int i = 0; i < 3000; ++i) world.at(0).get(&pending, got.data(), world.place(1, 0), got.size(), true);
    world.at(0).quiet(&pending);
    EXPECT_LE(world.at(1).messages_kept(), few_messages);
    std::vector<char> blocks(size_t{400} * 1000);
    for (int i = 0; i < 10; ++i)
      world.at(0).get_blocks(&pending, blocks.data(), world.place(1, 0), 1000, 8, 1000, 400, true);
    world.at(0).quiet(&pending);
    EXPECT_LE(world.at(1).messages_kept(), few_messages);
  }
}

TEST(Endpoint, who_sleeps_on_changed_memory_is_woken) {
  World world(ideal(), 2);
  world.counts_wakes = true;
  Pending pending = 0;
  const std::vector<char> large(20000, 1);
  world.at(0).put(&pending, world.place(1, 8), large.data(), 8);
  world.at(0).change(&pending, world.place(1, 16, 1), {WordOp::add, 4, 1});
  world.at(0).put(&pending, world.place(1, 64), large.data(), large.size());
  world.at(0).fetch_change(world.place(1, 16, 1), {WordOp::fetch, 4});
  world.at(0).quiet(&pending);
  const std::vector<std::array<uint64_t, 3>> expected = {{0, world.place(1, 8).offset, 8},
                                                         {1, world.place(1, 16, 1).offset, 4},
                                                         {0, world.place(1, 64).offset, 20000}};
  EXPECT_EQ(world.wakes, expected) << "once each, and not for a fetch";
}

}  // namespace
}  // namespace atrium
