// Endpoints whose network fails them, and those that hear from strangers.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstring>

#include "endpoint/endpoint.hpp"
#include "endpoint/thresholds.hpp"
#include "endpoint_world.hpp"

namespace atrium {
namespace {

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

// Seconds in which nobody has anything to say, each node's progress thread looking once in each.
void let_pass(World& world, int seconds) {
  for (int second = 0; second < seconds && world.failures.empty(); ++second) {
    world_clock += 1'000'000'000;
    bool may_sleep = false;
    for (int turn = 0; turn < 4; ++turn)
      for (int node = 0; node < 2; ++node) world.at(node).serve(may_sleep);
  }
}

// As in a barrier: a flag of mine has gone, without asking for an answer, and one of the other node should come.
TEST(Endpoint, a_node_that_is_cut_off_is_named_though_nothing_was_asked_of_it) {
  World world(calm(), 2);
  world.at(0).raise(world.place(1, 8), 9, {}, nullptr, 0);
  world.network().cut(0, 1);
  let_pass(world, 100);
  ASSERT_EQ(world.failures.size(), 1u);
  EXPECT_EQ(world.failures[0].find("host1 does not answer"), 0u) << world.failures[0];
}

TEST(Endpoint, a_node_that_is_silent_is_told_to_the_launcher_until_it_is_heard) {
  World world(calm(), 2);
  world.at(0).raise(world.place(1, 8), 9, {}, nullptr, 0);
  world.network().cut(0, 1);
  let_pass(world, 5);
  EXPECT_FALSE(world.at(0).hearing().silent_peer());
  let_pass(world, 5);
  const auto silent = world.at(0).hearing().silent_peer();
  ASSERT_TRUE(silent);
  EXPECT_EQ(silent->node, 1u);
  EXPECT_EQ(silent->endpoint, 0u);
  EXPECT_FALSE(world.at(1).hearing().silent_peer());  // it waits for nothing
  EXPECT_NE(world.at(1).hearing().turns, 0u);
  world.network().join(0, 1);
  let_pass(world, 1);
  EXPECT_FALSE(world.at(0).hearing().silent_peer());
  EXPECT_TRUE(world.failures.empty());
}

TEST(Endpoint, large_data_under_way_are_told_to_the_launcher) {
  World world(calm(), 2);
  const std::vector<char> data = pattern(put_by_record + 1, 1);
  Pending pending = 0;
  world.at(0).put(&pending, world.place(1, 0), data.data(), data.size(), true);
  world.at(0).put(&pending, world.place(1, 0), data.data(), data.size(), true);
  EXPECT_EQ(world.at(0).hearing().oldest_transfer, 1u);
  EXPECT_EQ(world.at(0).hearing().newest_transfer, 2u);
  world.at(0).quiet(&pending);
  EXPECT_EQ(world.at(0).hearing().oldest_transfer, 0u);
}

// As after Ctrl-Z, or a night in which the machine was suspended: nobody has listened.
TEST(Endpoint, a_process_that_was_stopped_blames_nobody) {
  World world(calm(), 2);
  world.at(0).raise(world.place(1, 8), 9, {}, nullptr, 0);
  world.network().cut(0, 1);
  let_pass(world, 3);
  world_clock += 1000ull * 1'000'000'000;
  let_pass(world, 1);
  EXPECT_TRUE(world.failures.empty());
  EXPECT_FALSE(world.at(0).hearing().silent_peer());
  let_pass(world, 70);  // now it listens
  EXPECT_EQ(world.failures.size(), 1u);
}

TEST(Endpoint, whoever_has_nothing_to_say_is_asked_once) {
  World world(calm(), 2);
  world.at(0).raise(world.place(1, 8), 9, {}, nullptr, 0);
  let_pass(world, 1000);
  EXPECT_TRUE(world.failures.empty());
  EXPECT_EQ(world.word(1, 8), 9u);
  EXPECT_EQ(world.at(0).messages_sent(), 2u);  // the flag, and the question whether it has arrived
  EXPECT_EQ(world.at(1).messages_sent(), 1u);
}

// The time in which nobody had asked is not the other's silence.
TEST(Endpoint, the_shortest_timeout_begins_with_the_question) {
  World::timeout_s = 1;
  World world(calm(), 2);
  world.at(0).raise(world.place(1, 8), 9, {}, nullptr, 0);
  bool may_sleep = false;
  for (int tenths = 0; tenths < 19;
       ++tenths) {  // the question goes after ten; host1 is busy with something else
    world_clock += 100'000'000;
    world.at(0).serve(may_sleep);
  }
  EXPECT_TRUE(world.failures.empty());
  EXPECT_EQ(world.at(0).messages_sent(), 2u);
  world.settle(10);
  let_pass(world, 100);
  EXPECT_TRUE(world.failures.empty());
  World::timeout_s = 60;
}

// No launcher hears both ends.
class EndpointByItself : public testing::Test {
 protected:
  EndpointByItself() { World::asks_hosts = true; }
  ~EndpointByItself() override { World::asks_hosts = false; }

  // Of node 0 alone, ten looks in each second.
  void wait_at_node_0(World& world, int tenths) {
    for (int i = 0; i < tenths && world.failures.empty(); ++i) {
      world_clock += 100'000'000;
      bool may_sleep = false;
      world.at(0).serve(may_sleep);
    }
  }
};

TEST_F(EndpointByItself, ends_the_job_when_the_other_host_is_cut_off) {
  World world(calm(), 2);
  world.at(0).raise(world.place(1, 8), 9, {}, nullptr, 0);
  world.network().cut(0, 1);
  wait_at_node_0(world, 50);
  EXPECT_TRUE(world.failures.empty());
  wait_at_node_0(world, 20);
  ASSERT_EQ(world.failures.size(), 1u);
  EXPECT_EQ(world.failures[0].find("host1 cannot be reached: "), 0u) << world.failures[0];
}

TEST_F(EndpointByItself, waits_for_a_process_that_is_stopped) {
  World world(calm(), 2);
  world.at(0).raise(world.place(1, 8), 9, {}, nullptr, 0);
  wait_at_node_0(world, 400);
  EXPECT_TRUE(world.failures.empty());
  wait_at_node_0(world, 300);
  ASSERT_EQ(world.failures.size(), 1u);  // as long as the user wants
  EXPECT_EQ(world.failures[0].find("host1 does not answer: "), 0u) << world.failures[0];
}

// For less than three seconds, at whatever moment of the silence of a process that is stopped.
TEST_F(EndpointByItself, a_link_that_is_away_for_a_moment_ends_nothing) {
  for (int begin = 0; begin < 80; ++begin) {
    World world(calm(), 2);
    world.at(0).raise(world.place(1, 8), 9, {}, nullptr, 0);
    wait_at_node_0(world, begin);
    world.network().cut(0, 1);
    wait_at_node_0(world, 29);
    world.network().join(0, 1);
    wait_at_node_0(world, 100);
    EXPECT_TRUE(world.failures.empty()) << begin;
    let_pass(world, 2);
    EXPECT_EQ(world.word(1, 8), 9u);
  }
}

TEST_F(EndpointByItself, each_silence_has_a_question_of_its_own) {
  World world(calm(), 2);
  for (int silence = 0; silence < 3; ++silence) {
    world.at(0).raise(world.place(1, 8), 9, {}, nullptr, 0);
    wait_at_node_0(world, 200);
    let_pass(world, 2);
    EXPECT_TRUE(world.failures.empty());
  }
  world.at(0).raise(world.place(1, 8), 9, {}, nullptr, 0);
  world.network().cut(0, 1);
  wait_at_node_0(world, 70);
  EXPECT_EQ(world.failures.size(), 1u);
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
  const uint64_t heap = 0, part = World::part_bytes;
  const std::vector<char> word(8, 'x');
  const auto put = [](uint16_t local, uint64_t place, uint32_t bytes = 8) {
    return RecordHeader{RecordKind::put, 0, local, bytes, place};
  };
  expect_refused(put(0, heap + part - 4), word);      // from the heap into static data
  expect_refused(put(0, heap + 2 * part - 4), word);  // across the end of those
  expect_refused(put(0, heap + 2 * part), word);      // the gap
  expect_refused(put(1, heap), word);                 // another PE's
  expect_refused(put(0, heap + 3 * part), word);
  expect_refused(put(2, heap + 6 * part), word);   // a PE that does not exist
  expect_refused(put(0, ~uint64_t{0} - 3), word);  // around the end of numbers
  const uint8_t add8 = change_detail(RecordOp::add, 8, false);
  expect_refused({RecordKind::change, add8, 0, 0, heap + 4}, word);  // across its alignment
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
                                static_cast<uint32_t>(random() % 64), random() % (4 * World::part_bytes)};
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
