// Endpoints against their promises, over a network that does everything it may.
// SPDX-License-Identifier: BSD-3-Clause
#include "endpoint/endpoint.hpp"

#include <algorithm>
#include <cstring>

#include "endpoint_world.hpp"

namespace atrium {
namespace {

Weather calm() { return {1, 0, 0, 0, 0, 0, false, false, 0}; }

std::vector<char> pattern(size_t bytes, uint64_t seed) {
  std::vector<char> data(bytes);
  for (size_t i = 0; i < bytes; ++i) data[i] = static_cast<char>(seed * 131 + i * 7 + i / 255);
  return data;
}

constexpr size_t sizes[] = {1, 2, 3, 4, 8, 13, 100, 1024, 1025, 8192, 8193, 20000, 60000};

TEST(Endpoint, a_put_of_each_size_is_there_after_quiet) {
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    World world(weather_of(seed), 2);
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
    World world(weather_of(seed), 2);
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
    World world(weather_of(seed), 3);
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

// Whoever sees what was put behind a fence sees what was put before it, whichever way the two travel.
TEST(Endpoint, what_is_behind_a_fence_is_not_seen_before_what_is_before_it) {
  uint64_t seen = 0;
  for (uint64_t seed = 1; seed <= 150; ++seed) {
    World world(weather_of(seed), 2);
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

TEST(Endpoint, a_signal_is_not_seen_before_its_data) {
  for (uint64_t seed = 1; seed <= 150; ++seed) {
    World world(weather_of(seed), 2);
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
                           {RecordOp::add, 8, 3}, seed % 2 == 0);
    for (int turns = 0; turns < 100000 && world.word(1, 0, 1) == 0; ++turns) world.everybody_turns();
    EXPECT_EQ(world.word(1, 0, 1), 3u) << "it arrives without a quiet, seed " << seed;
    EXPECT_FALSE(broken) << "seed " << seed << ", " << bytes;
    world.at(0).quiet(&pending);
  }
}

TEST(Endpoint, a_raised_flag_is_not_seen_before_what_was_put_before_it) {
  for (uint64_t seed = 1; seed <= 150; ++seed) {
    World world(weather_of(seed), 2);
    Pending pending = 0;
    const size_t bytes = sizes[seed % std::size(sizes)];
    const std::vector<char> data(bytes, 6);
    const uint64_t letter = 4711;
    bool broken = false;
    world.watcher = [&] {
      const bool whole =
          std::all_of(world.memory(1, 0), world.memory(1, 0) + bytes, [](char c) { return c == 6; });
      broken = broken || (world.word(1, 8, 1) == 9 && (!whole || world.word(1, 16, 1) != letter));
    };
    world.at(0).put(&pending, world.place(1, 0), data.data(), bytes, true);
    world.at(0).raise(world.place(1, 8, 1), 9, world.place(1, 16, 1), &letter, 8);
    for (int turns = 0; turns < 100000 && world.word(1, 8, 1) == 0; ++turns) world.everybody_turns();
    EXPECT_EQ(world.word(1, 8, 1), 9u);
    EXPECT_FALSE(broken) << "seed " << seed << ", " << bytes;
    world.at(0).quiet(&pending);
  }
}

template <class T>
T reference(RecordOp op, T word, T x, T c) {
  switch (op) {
    case RecordOp::fetch:
      return word;
    case RecordOp::set:
    case RecordOp::swap:
      return x;
    case RecordOp::compare_swap:
      return word == c ? x : word;
    case RecordOp::add:
      return static_cast<T>(word + x);
    case RecordOp::bit_and:
      return word & x;
    case RecordOp::bit_or:
      return word | x;
    case RecordOp::bit_xor:
      return word ^ x;
  }
  return 0;
}

template <class T>
void check_changes(World& world, std::mt19937_64& random) {
  T model = 0;
  const Place place = world.place(1, 8);
  for (int round = 0; round < 200; ++round) {
    const auto op = static_cast<RecordOp>(random() % 8);
    const T x = static_cast<T>(random()), c = random() % 2 ? model : static_cast<T>(random());
    const Change change{op, sizeof(T), static_cast<uint64_t>(x), static_cast<uint64_t>(c)};
    const uint64_t old = world.at(0).fetch_change(place, change);
    if (op != RecordOp::set) {
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
  World world(weather_of(3), 2);
  check_changes<uint64_t>(world, random);
  std::memset(world.memory(1, 8), 0, 8);
  check_changes<uint32_t>(world, random);
  std::memset(world.memory(1, 8), 0, 8);
  check_changes<uint16_t>(world, random);
}

TEST(Endpoint, additions_from_all_nodes_and_from_next_door_add_up) {
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    World world(weather_of(seed), 4);
    Pending pending[4] = {};
    uint64_t old[4][50];
    for (int round = 0; round < 50; ++round) {
      for (int node = 1; node < 4; ++node) {
        world.at(node).change(&pending[node], world.place(0, 0), {RecordOp::add, 8, 1});
        world.at(node).fetch_change_later(&pending[node], world.place(0, 0), {RecordOp::add, 8, 1},
                                          &old[node][round]);
      }
      __atomic_fetch_add(reinterpret_cast<uint64_t*>(world.memory(0, 0)), 1, __ATOMIC_RELAXED);
    }
    for (int node = 1; node < 4; ++node) world.at(node).quiet(&pending[node]);
    EXPECT_EQ(world.word(0, 0), 50u * 7);
    for (int node = 1; node < 4; ++node) EXPECT_TRUE(std::is_sorted(old[node], old[node] + 50));
  }
}

// Random programs against a model: each PE has a part of each node's memory to itself, and shares counters.
void random_program(uint64_t seed) {
  std::mt19937_64 random(seed);
  const int nodes = 2 + static_cast<int>(random() % 3);
  World world(weather_of(seed), nodes);
  constexpr uint64_t part = 16000;
  struct Pe {
    Pending pending[2] = {};
    std::vector<std::vector<char>> model;
    std::vector<std::unique_ptr<std::vector<char>>> sources;
  };
  std::vector<Pe> pes(static_cast<size_t>(nodes));
  for (Pe& pe : pes) pe.model.assign(static_cast<size_t>(nodes), std::vector<char>(part, 0));
  std::vector<uint64_t> added(static_cast<size_t>(nodes), 0);
  for (int step = 0; step < 150; ++step) {
    const int me = static_cast<int>(random() % static_cast<uint64_t>(nodes));
    int node = static_cast<int>(random() % static_cast<uint64_t>(nodes - 1));
    node += node >= me;
    Pe& pe = pes[static_cast<size_t>(me)];
    auto& model = pe.model[static_cast<size_t>(node)];
    Pending* pending = &pe.pending[random() % 2];
    Endpoint& endpoint = world.at(me);
    const uint64_t start = static_cast<uint64_t>(me) * part;
    const size_t bytes = std::min<size_t>(part, 1 + (random() % 4 == 0 ? random() % part : random() % 64));
    const uint64_t at = random() % (part - bytes + 1);
    switch (random() % 8) {
      case 0:
      case 1:
      case 2: {  // nothing orders overlapping puts but a fence
        endpoint.fence();
        pe.sources.push_back(std::make_unique<std::vector<char>>(pattern(bytes, random())));
        auto& source = *pe.sources.back();
        std::copy(source.begin(), source.end(), model.begin() + static_cast<ptrdiff_t>(at));
        const bool later = random() % 2 == 0;
        endpoint.put(pending, world.place(node, start + at), source.data(), bytes, later);
        if (!later) std::fill(source.begin(), source.end(), 'z');
        break;
      }
      case 3: {
        std::vector<char> got(bytes);
        endpoint.get(nullptr, got.data(), world.place(node, start + at), bytes);
        ASSERT_TRUE(std::equal(got.begin(), got.end(), model.begin() + static_cast<ptrdiff_t>(at)))
            << "a PE reads what it has written, seed " << seed;
        break;
      }
      case 4:
        endpoint.change(pending, world.place(node, 0, 1), {RecordOp::add, 8, step + 1u});
        added[static_cast<size_t>(node)] += static_cast<uint64_t>(step) + 1;
        break;
      case 5:
        endpoint.fetch_change(world.place(node, 0, 1), {RecordOp::fetch, 8});
        break;
      case 6: {
        endpoint.quiet(pending);
        ASSERT_EQ(*pending, 0u);
        break;
      }
      default: {
        endpoint.quiet_nodes(&node, 1);
        ASSERT_EQ(std::memcmp(world.memory(node, start), model.data(), part), 0)
            << "after quiet, seed " << seed;
      }
    }
    ASSERT_TRUE(world.failures.empty()) << world.failures[0] << " seed " << seed;
  }
  for (int me = 0; me < nodes; ++me) {
    for (Pending& pending : pes[static_cast<size_t>(me)].pending) world.at(me).quiet(&pending);
  }
  for (int node = 0; node < nodes; ++node) {
    EXPECT_EQ(world.word(node, 0, 1), added[static_cast<size_t>(node)]) << "seed " << seed;
    for (int me = 0; me < nodes; ++me) {
      if (me == node) continue;
      EXPECT_EQ(std::memcmp(world.memory(node, static_cast<uint64_t>(me) * part),
                            pes[static_cast<size_t>(me)].model[static_cast<size_t>(node)].data(), part),
                0)
          << "seed " << seed;
    }
  }
}

TEST(Endpoint, random_programs_leave_the_memory_of_their_model) {
  const char* first = std::getenv("TEST_SEED");
  const char* rounds = std::getenv("TEST_ROUNDS");
  const uint64_t start = first ? std::strtoull(first, nullptr, 10) : 1;
  const uint64_t count = 1500 * (rounds ? std::strtoull(rounds, nullptr, 10) : 1);
  for (uint64_t seed = start; seed < start + (first ? 1 : count) && !testing::Test::HasFatalFailure(); ++seed)
    random_program(seed);
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
    World world(weather_of(seed), 3);
    Pending pending = 0;
    uint64_t old = 99;
    std::vector<char> got(20000);
    std::memcpy(world.memory(2, large), large_data.data(), large_data.size());
    world.at(0).put(&pending, world.place(1, at), small_data.data(), small_data.size(), true);
    world.at(0).put(&pending, world.place(1, large), large_data.data(), large_data.size(), true);
    world.at(0).get(&pending, got.data(), world.place(2, large), got.size(), true);
    world.at(1).fetch_change_later(&pending, world.place(2, fetched_from), Change{RecordOp::add, 8, 5}, &old);
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
    World world(weather_of(seed), 2);
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

TEST(Endpoint, small_records_gather_in_few_messages) {
  World world(calm(), 2);
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
  World world(calm(), 2);
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
  World world(calm(), 2);
  Pending pending = 0;
  for (uint64_t i = 0; i < 100; ++i) {
    const uint64_t value = 1;
    world.at(0).put(&pending, world.place(1, 8 * i), &value, 8);
  }
  world.settle(10);
  for (uint64_t i = 0; i < 100; ++i) EXPECT_EQ(world.word(1, 8 * i), 1u);
}

TEST(Endpoint, who_sleeps_on_changed_memory_is_woken) {
  World world(calm(), 2);
  world.counts_wakes = true;
  Pending pending = 0;
  const std::vector<char> large(20000, 1);
  world.at(0).put(&pending, world.place(1, 8), large.data(), 8);
  world.at(0).change(&pending, world.place(1, 16, 1), {RecordOp::add, 4, 1});
  world.at(0).put(&pending, world.place(1, 64), large.data(), large.size());
  world.at(0).fetch_change(world.place(1, 16, 1), {RecordOp::fetch, 4});
  world.at(0).quiet(&pending);
  const std::vector<std::array<uint64_t, 3>> expected = {{0, world.place(1, 8).offset, 8},
                                                         {1, world.place(1, 16, 1).offset, 4},
                                                         {0, world.place(1, 64).offset, 20000}};
  EXPECT_EQ(world.wakes, expected) << "once each, and not for a fetch";
}

TEST(Endpoint, endpoints_of_unequal_numbers_reach_each_other) {
  World world(weather_of(9), 3, 3);
  for (int node = 0; node < 3; ++node) {
    for (int endpoint = 0; endpoint < 3; ++endpoint) {
      for (int target = 0; target < 3; ++target) {
        if (target == node) continue;
        world.at(node, endpoint).fetch_change(world.place(target, 0), {RecordOp::add, 8, 1});
      }
    }
  }
  for (int node = 0; node < 3; ++node) EXPECT_EQ(world.word(node, 0), 6u);
}

TEST(Endpoint, a_node_that_is_cut_off_is_named_in_time) {
  World world(calm(), 2);
  Pending pending = 0;
  const uint64_t value = 1;
  world.at(0).put(&pending, world.place(1, 0), &value, 8);
  world.at(0).quiet(&pending);
  world.network().cut(0, 1);
  world.at(0).put(&pending, world.place(1, 0), &value, 8);
  world.at(0).quiet(&pending);
  ASSERT_EQ(world.failures.size(), 1u);
  EXPECT_EQ(world.failures[0].find("host1 does not answer"), 0u) << world.failures[0];
  ASSERT_EQ(world.notes.size(), 1u);
  EXPECT_EQ(world.notes[0].find("host1 has not answered for 10 s"), 0u) << world.notes[0];
}

TEST(Endpoint, a_cable_that_is_plugged_in_again_loses_nothing) {
  World world(calm(), 2);
  Pending pending = 0;
  world.network().cut(0, 1);
  for (uint64_t i = 0; i < 20; ++i) {
    const uint64_t value = i + 1;
    world.at(0).put(&pending, world.place(1, 8 * i), &value, 8);
  }
  world.settle(50);
  world.network().join(0, 1);
  world.at(0).quiet(&pending);
  EXPECT_TRUE(world.failures.empty());
  for (uint64_t i = 0; i < 20; ++i) EXPECT_EQ(world.word(1, 8 * i), i + 1);
}

TEST(Endpoint, an_error_of_the_engine_ends_the_job_with_its_text) {
  World world(calm(), 2);
  Pending pending = 0;
  world.network().fail_next(0);
  const uint64_t value = 1;
  world.at(0).put(&pending, world.place(1, 0), &value, 8);
  world.at(0).quiet(&pending);
  ASSERT_EQ(world.failures.size(), 1u);
  EXPECT_NE(world.failures[0].find("as asked"), std::string::npos);
}

// A stranger who has found the port, and says anything at all.
struct Stranger {
  explicit Stranger(World& world) : engine(world.network().open()) {}
  void say(World& world, const void* data, size_t bytes) {
    while (engine->send(1, data, bytes, nullptr) == Post::later) world.everybody_turns();
    world.settle(20);
  }
  std::unique_ptr<Engine> engine;
};

std::vector<char> message_of(MessageHeader header,
                             const std::vector<std::pair<RecordHeader, std::vector<char>>>& records) {
  std::vector<char> bytes(sizeof header);
  for (auto& [record, payload] : records) {
    const size_t at = bytes.size();
    bytes.resize(at + record_bytes(payload.size()));
    std::memcpy(&bytes[at], &record, sizeof record);
    if (!payload.empty()) std::memcpy(&bytes[at + sizeof record], payload.data(), payload.size());
  }
  header.bytes = static_cast<uint32_t>(bytes.size());
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

TEST(Endpoint, a_message_without_the_secret_is_not_heard) {
  World world(calm(), 2);
  Stranger stranger(world);
  const Place place = world.place(1, 0);
  const auto message = message_of({World::secret + 1, 0, 0, 0, 1, 0, 0, 1},
                                  {{{RecordKind::put, 0, 0, 8, place.offset}, std::vector<char>(8, 'x')}});
  stranger.say(world, message.data(), message.size());
  EXPECT_EQ(world.at(1).strangers(), 1u);
  EXPECT_EQ(world.word(1, 0), 0u);
  EXPECT_TRUE(world.failures.empty());
  const uint64_t value = 5;  // and the channel is as it was
  Pending pending = 0;
  world.at(0).put(&pending, place, &value, 8);
  world.at(0).quiet(&pending);
  EXPECT_EQ(world.word(1, 0), 5u);
}

void expect_refused(const RecordHeader& record, const std::vector<char>& payload) {
  World world(calm(), 2);
  Stranger stranger(world);
  const std::vector<char> before(world.memory(1, 0), world.memory(1, 0) + World::part_bytes);
  const auto message = message_of({World::secret, 0, 0, 0, 1, 0, 0, 1}, {{record, payload}});
  stranger.say(world, message.data(), message.size());
  ASSERT_EQ(world.failures.size(), 1u);
  EXPECT_EQ(world.failures[0].find("a message from host0 makes no sense"), 0u) << world.failures[0];
  EXPECT_EQ(std::memcmp(world.memory(1, 0), before.data(), before.size()), 0);
}

TEST(Endpoint, records_that_reach_outside_symmetric_memory_touch_nothing) {
  const uint64_t heap = World::lobby_bytes, part = World::part_bytes;
  const std::vector<char> word(8, 'x');
  const auto put = [](uint16_t local, uint64_t place, uint32_t bytes = 8) {
    return RecordHeader{RecordKind::put, 0, local, bytes, place};
  };
  expect_refused(put(0, 0), word);                 // the lobby
  expect_refused(put(0, heap - 4), word);          // across its end
  expect_refused(put(0, heap + part - 4), word);   // across the heap's end
  expect_refused(put(0, heap + part), word);       // the gap
  expect_refused(put(1, heap), word);              // another PE's
  expect_refused(put(2, heap + 4 * part), word);   // a PE that does not exist
  expect_refused(put(0, ~uint64_t{0} - 3), word);  // around the end of numbers
  const uint8_t add8 = change_detail(RecordOp::add, 8, false);
  expect_refused({RecordKind::change, add8, 0, 0, heap + 4}, word);  // across its alignment
  expect_refused({RecordKind::change, add8, 0, 0, 8}, word);
  expect_refused({RecordKind::change, change_detail(RecordOp::add, 1, false), 0, 0, heap}, word);
  std::vector<char> much(8, 0);
  much[2] = 1;
  expect_refused({RecordKind::get, 0, 0, 0, heap}, much);
  expect_refused({RecordKind::landed, 0, 0, 0, heap}, std::vector<char>(8, '\x7f'));
  expect_refused({RecordKind::reply, 0, 0, 0, 8}, word);  // to a question that nobody asked
  expect_refused({static_cast<RecordKind>(9), 0, 0, 0, heap}, word);
}

TEST(Endpoint, a_gap_in_the_sequence_is_an_error_that_names_the_node) {
  World world(calm(), 2);
  Stranger stranger(world);
  const auto message = message_of({World::secret, 0, 0, 0, 2, 0, 0, 0}, {});
  stranger.say(world, message.data(), message.size());
  ASSERT_EQ(world.failures.size(), 1u);
  EXPECT_EQ(world.failures[0].find("messages from host0 are missing"), 0u);
}

TEST(Endpoint, an_acknowledgement_of_nothing_is_an_error) {
  World world(calm(), 2);
  Stranger stranger(world);
  const auto message = message_of({World::secret, 0, 0, message_bare, 0, 7, 0, 0}, {});
  stranger.say(world, message.data(), message.size());
  EXPECT_EQ(world.failures.size(), 1u);
}

// Bytes that were a message, and then were damaged: nothing outside the PEs' memory is ever touched (the address
// sanitizer looks on), and the reader always comes to an end.
TEST(Endpoint, damaged_messages_do_no_harm) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 500; ++round) {
    World world(calm(), 2);
    Stranger stranger(world);
    std::vector<std::pair<RecordHeader, std::vector<char>>> records;
    for (uint64_t i = 0; i < 1 + random() % 4; ++i) {
      const auto kind = static_cast<RecordKind>(1 + random() % 5);
      const RecordHeader header{kind, static_cast<uint8_t>(random()), static_cast<uint16_t>(random() % 3),
                                static_cast<uint32_t>(random() % 64),
                                World::lobby_bytes + random() % (2 * World::part_bytes)};
      records.push_back({header, pattern(random() % 64, random())});
    }
    auto message =
        message_of({World::secret, 0, 0, static_cast<uint16_t>(random() % 2), 1, 0, 0, 0}, records);
    for (uint64_t i = 0; i < random() % 4; ++i)
      message[8 + random() % (message.size() - 8)] = static_cast<char>(random());
    if (random() % 3 == 0) message.resize(random() % message.size());
    if (random() % 2 == 0 && message.size() >= sizeof(MessageHeader)) {
      const auto bytes = static_cast<uint32_t>(message.size());
      std::memcpy(&message[offsetof(MessageHeader, bytes)], &bytes, sizeof bytes);
    }
    stranger.say(world, message.data(), message.size());
  }
}

TEST(Endpoint, the_reader_takes_any_bytes) {
  std::mt19937_64 random(12);
  for (int round = 0; round < 200000; ++round) {
    std::vector<char> bytes(random() % 200);
    for (char& c : bytes) c = static_cast<char>(random() % 4 == 0 ? random() : random() % 6);
    MessageHeader header;
    const auto size = static_cast<uint32_t>(bytes.size());
    if (bytes.size() >= sizeof header)
      std::memcpy(&bytes[offsetof(MessageHeader, bytes)], &size, sizeof size);
    if (!RecordReader::read_header(bytes.data(), bytes.size(), header)) continue;
    RecordReader reader(bytes.data(), bytes.size());
    Record record;
    size_t read = sizeof header;
    while (reader.next(record)) {
      read += record_bytes(record.bytes);
      ASSERT_LE(record.payload + record.bytes, bytes.data() + bytes.size());
    }
    ASSERT_TRUE(reader.broken() || read == bytes.size());
  }
}

}  // namespace
}  // namespace atrium
