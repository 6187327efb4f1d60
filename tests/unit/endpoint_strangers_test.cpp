// Endpoints to which strangers send, and what becomes of messages that are changed, missing or make no sense.
// SPDX-License-Identifier: BSD-3-Clause
#include <cstring>

#include "endpoint_world.hpp"
#include "network/endpoint.hpp"
#include "wire/protocol.hpp"

namespace atrium {
namespace {

// A stranger who has found the port, and says anything at all.
struct Stranger {
  explicit Stranger(World& world) : engine(world.network().open()) {}
  void say(World& world, const void* data, size_t bytes) {
    while (engine->send(1, data, bytes, nullptr) == Post::later) world.everybody_turns();
    world.settle(20);
  }
  std::unique_ptr<Engine> engine;
};

using Records = std::vector<std::pair<RecordHeader, std::vector<char>>>;

// As host0 would seal it for host1.
std::vector<char> message_of(MessageHeader header, const Records& records,
                             const JobSecret& secret = World::secret) {
  std::vector<char> bytes(sizeof header);
  for (auto& [record, payload] : records) {
    const size_t at = bytes.size();
    bytes.resize(at + record_bytes(payload.size()));
    std::memcpy(&bytes[at], &record, sizeof record);
    if (!payload.empty()) std::memcpy(&bytes[at + sizeof record], payload.data(), payload.size());
  }
  std::memcpy(bytes.data(), &header, sizeof header);
  const SealMethod& method = aes_128_gcm() ? *aes_128_gcm() : chacha20_poly1305;
  const ChannelSeal seal(method, secret, {header.node, header.endpoint}, {1, 0});
  bytes.resize(bytes.size() + seal_tag_bytes);
  seal.seal(bytes.data(), bytes.size() - seal_tag_bytes);
  return bytes;
}

RecordHeader put_of_word(const Place& place) { return {RecordKind::put, 0, 0, 8, place.offset}; }

// After that the channel is as it was.
void expect_discarded(World& world, const std::vector<char>& message) {
  Stranger stranger(world);
  const uint64_t before = world.at(1).strangers(), word = world.word(1, 0);
  stranger.say(world, message.data(), message.size());
  EXPECT_EQ(world.at(1).strangers(), before + 1);
  EXPECT_EQ(world.word(1, 0), word);
  EXPECT_TRUE(world.failures.empty());
  const uint64_t value = word + 5;
  Pending pending = 0;
  world.at(0).put(&pending, world.place(1, 0), &value, 8);
  world.at(0).quiet(&pending);
  EXPECT_EQ(world.word(1, 0), value);
}

TEST(Endpoint, a_message_without_the_secret_is_not_heard) {
  World world(ideal(), 2);
  JobSecret other = World::secret;
  other[31] ^= 1;
  const Records put{{put_of_word(world.place(1, 0)), std::vector<char>(8, 'x')}};
  expect_discarded(world, message_of({0, 0, 0, 1, 0, 1}, put, other));
  expect_discarded(world, message_of({7, 0, 0, 1, 0, 1}, put));  // of a node that does not exist
  expect_discarded(world, message_of({0, 3, 0, 1, 0, 1}, put));
  expect_discarded(world, message_of({1, 0, 0, 1, 0, 1}, put));  // of its own
  expect_discarded(world, std::vector<char>(7, 'x'));
  expect_discarded(world, std::vector<char>(message_room, 'x'));
  ASSERT_EQ(world.notes.size(), 1u);  // said once
}

TEST(Endpoint, a_message_is_not_heard_if_a_bit_of_it_is_another) {
  World world(ideal(), 2);
  const auto message =
      message_of({0, 0, 0, 1, 0, 1}, {{put_of_word(world.place(1, 0)), std::vector<char>(8, 'x')}});
  for (size_t byte = 0; byte < message.size(); ++byte) {
    auto changed = message;
    changed[byte] = static_cast<char>(changed[byte] ^ 1 << byte % 8);
    expect_discarded(world, changed);
  }
}

// Whoever reads the wire, or has taken a connection over, sees them.
struct Wiretap {
  explicit Wiretap(World& world) {
    world.network().tap = [this](Peer, Peer to, const std::string& data) {
      (to == 1 ? to_node_1 : to_node_0).emplace_back(data.begin(), data.end());
    };
  }
  std::vector<std::vector<char>> to_node_0, to_node_1;
};

TEST(Endpoint, what_is_sent_again_or_sent_back_is_not_heard) {
  World world(ideal(), 2);
  Wiretap tap(world);
  Pending pending = 0;
  for (uint64_t value = 1; value <= 3; ++value) {
    world.at(0).put(&pending, world.place(1, 0), &value, 8);
    world.at(0).quiet(&pending);
  }
  const auto to_1 = tap.to_node_1, to_0 = tap.to_node_0;
  ASSERT_GE(to_1.size(), 3u);
  ASSERT_GE(to_0.size(), 3u);
  for (const auto& message : to_1) expect_discarded(world, message);
  for (const auto& message : to_0) expect_discarded(world, message);
}

TEST(Endpoint, nothing_that_is_confidential_is_on_the_wire) {
  for (const bool by_aes : {true, false}) {
    World::seals_by_aes = by_aes;
    World world(ideal(), 2);
    Wiretap tap(world);
    const std::string text = "this is confidential, whoever reads the wire";
    Pending pending = 0;
    world.at(0).put(&pending, world.place(1, 64), text.data(), text.size());
    world.at(0).quiet(&pending);
    std::string fetched(text.size(), ' ');
    world.at(0).get(nullptr, fetched.data(), world.place(1, 64), text.size());
    EXPECT_EQ(fetched, text);
    for (const auto& messages : {tap.to_node_0, tap.to_node_1}) {
      for (const auto& message : messages)
        EXPECT_EQ(std::string(message.begin(), message.end()).find("confidential"), std::string::npos);
    }
  }
  World::seals_by_aes = true;
}

// Of no use to anybody, and no end of anything: one longer than any, and one that was announced.
TEST(Endpoint, a_message_that_comes_to_nothing_concerns_nobody_else) {
  World world(ideal(), 2);
  Stranger stranger(world);
  const std::vector<char> endless(600 << 10, 'x');
  for (uint64_t round = 1; round <= 20; ++round) {
    stranger.say(world, endless.data(), endless.size());
    world.network().withdraw_one(1);
    world.settle(20);
    Pending pending = 0;
    world.at(0).put(&pending, world.place(1, 0), &round, 8);
    world.at(0).quiet(&pending);
    EXPECT_EQ(world.word(1, 0), round);
  }
  EXPECT_TRUE(world.failures.empty());
  EXPECT_EQ(world.at(1).strangers(), 40u);
  EXPECT_EQ(world.notes.size(), 1u);
}

// A stranger who may be in a peer's place, with memory of his own under the peer's key: where large data would be seen.
class EndpointAmongStrangers : public testing::Test {
 protected:
  EndpointAmongStrangers() : world(showing_links(), 2), stranger(world), memory(4 * World::part_bytes) {
    EXPECT_TRUE(stranger.engine->register_region(memory.data(), memory.size(), 78));
  }
  static NetworkConditions showing_links() {
    NetworkConditions conditions = ideal();
    conditions.shows_links = true;
    return conditions;
  }
  void put_large(uint64_t seed) {
    const std::vector<char> data = pattern(3 * put_by_record, seed);
    Pending pending = 0;
    world.at(0).put(&pending, world.place(1, 0), data.data(), data.size());
    world.at(0).quiet(&pending);
  }
  bool has_large(uint64_t seed) {
    const std::vector<char> data = pattern(3 * put_by_record, seed);
    std::vector<char> fetched(data.size());
    world.at(0).get(nullptr, fetched.data(), world.place(1, 0), fetched.size());
    return fetched == data && std::memcmp(world.memory(1, 0), data.data(), data.size()) == 0;
  }
  void expect_interference(const char* what) {
    ASSERT_EQ(world.failures.size(), 1u);
    EXPECT_EQ(world.failures[0].find(what), 0u) << world.failures[0];
    EXPECT_NE(world.failures[0].find("somebody"), std::string::npos) << world.failures[0];
    EXPECT_EQ(memory, std::vector<char>(memory.size()));
  }

  World world;
  Stranger stranger;
  std::vector<char> memory;
};

TEST_F(EndpointAmongStrangers, large_data_goes_while_both_see_the_same_connection) {
  for (uint64_t seed = 1; seed < 5; ++seed) {
    put_large(seed);
    EXPECT_TRUE(has_large(seed));
    world.network().take_place(0, 1, 1);  // a new connection, as after a cable was pulled
  }
  EXPECT_TRUE(world.failures.empty());
}

// By who asks, by the other for comparison and answer, and again by the first; and not once more when the other one sends.
TEST_F(EndpointAmongStrangers, connections_are_looked_for_three_times) {
  put_large(1);
  EXPECT_EQ(world.network().looks(), 3u);
  const std::vector<char> data = pattern(3 * put_by_record, 2);
  Pending pending = 0;
  world.at(1).put(&pending, world.place(0, 0), data.data(), data.size());
  world.at(1).quiet(&pending);
  EXPECT_EQ(world.network().looks(), 3u);
  EXPECT_TRUE(world.failures.empty());
}

// More than a record holds. Those of the two come last in the list of each.
TEST(Endpoint, large_data_goes_however_many_connections_a_process_has) {
  NetworkConditions conditions = ideal();
  conditions.shows_links = true;
  MemoryNetwork network(conditions);
  std::vector<std::unique_ptr<Engine>> others;
  for (int i = 0; i < 240; ++i) others.push_back(network.open());
  World world([&] { return network.open(); }, 2, false);
  world.watcher = [] { world_clock += 10'000'000; };
  for (const int from : {0, 1}) {
    const std::vector<char> data = pattern(3 * put_by_record, static_cast<uint64_t>(from));
    Pending pending = 0;
    world.at(from).put(&pending, world.place(1 - from, 0), data.data(), data.size());
    world.at(from).quiet(&pending);
    EXPECT_EQ(std::memcmp(world.memory(1 - from, 0), data.data(), data.size()), 0);
  }
  EXPECT_TRUE(world.failures.empty()) << world.failures[0];
}

TEST_F(EndpointAmongStrangers, large_data_is_not_sent_to_who_has_taken_a_connection_over) {
  put_large(1);
  world.network().take_place(0, 1, 2);
  put_large(2);
  expect_interference("host1 does not answer");
}

TEST_F(EndpointAmongStrangers, nor_is_it_asked_of_him) {
  put_large(1);
  std::memset(memory.data(), 'x', memory.size());
  world.network().take_place(0, 1, 2);
  std::vector<char> fetched(3 * put_by_record);
  world.at(0).get(nullptr, fetched.data(), world.place(1, 0), fetched.size());
  EXPECT_EQ(fetched, std::vector<char>(fetched.size()));
  EXPECT_EQ(world.failures.size(), 1u);
}

// He passes on all that the two say, so that neither misses anything.
TEST_F(EndpointAmongStrangers, nor_to_who_stands_between) {
  world.network().take_place(0, 1, 2);
  world.network().take_place(1, 0, 2);
  std::vector<char> buffer(1 << 20);
  ASSERT_EQ(stranger.engine->post_receive(buffer.data(), buffer.size(), nullptr), Post::taken);
  world.watcher = [&] {
    EngineEvent events[8];
    const int came = stranger.engine->poll(events, 8);
    for (int i = 0; i < came; ++i) {
      if (events[i].kind == EngineEvent::Kind::buffer_used) {
        EXPECT_EQ(stranger.engine->post_receive(buffer.data(), buffer.size(), nullptr), Post::taken);
      } else if (events[i].kind == EngineEvent::Kind::received) {
        for (const Peer peer : {0u, 1u})
          stranger.engine->send(peer, events[i].data, events[i].bytes, nullptr);
      }
    }
  };
  Pending pending = 0;
  const uint64_t value = 7;
  world.at(0).put(&pending, world.place(1, 0), &value, 8);
  world.at(0).quiet(&pending);
  EXPECT_EQ(world.word(1, 0), 7u);
  EXPECT_TRUE(world.failures.empty());
  put_large(2);
  expect_interference("the connection to host1 is not its PE's");
}

TEST(Endpoint, who_is_silent_after_strangers_came_is_said_to_be_interfered_with) {
  World world(ideal(), 2);
  Stranger stranger(world);
  const std::vector<char> noise(100, 'x');
  stranger.say(world, noise.data(), noise.size());
  world.network().cut(0, 1);
  world.at(1).raise(world.place(0, 8), 9, {}, nullptr, 0);
  let_pass(world, 100);
  ASSERT_EQ(world.failures.size(), 1u);
  EXPECT_NE(world.failures[0].find("somebody interferes"), std::string::npos) << world.failures[0];
}

void expect_refused(const RecordHeader& record, const std::vector<char>& payload) {
  World world(ideal(), 2);
  Stranger stranger(world);
  const std::vector<char> before(world.memory(1, 0), world.memory(1, 0) + World::part_bytes);
  const auto message = message_of({0, 0, 0, 1, 0, 1}, {{record, payload}});
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
  const uint8_t add8 = change_detail(WordOp::add, 8, false);
  expect_refused({RecordKind::change, add8, 0, 0, heap + 4}, word);  // across its alignment
  expect_refused({RecordKind::change, change_detail(WordOp::add, 1, false), 0, 0, heap}, word);
  std::vector<char> much(8, 0);
  much[2] = 1;
  expect_refused({RecordKind::get, 0, 0, 0, heap}, much);
  expect_refused({RecordKind::landed, 0, 0, 0, heap}, std::vector<char>(8, '\x7f'));
  expect_refused({RecordKind::reply, 0, 0, 0, 8}, word);  // to a question that nobody asked
  expect_refused({static_cast<RecordKind>(9), 0, 0, 0, heap}, word);
}

TEST(Endpoint, a_gap_in_the_sequence_is_an_error_that_names_the_node) {
  World world(ideal(), 2);
  Stranger stranger(world);
  const auto message = message_of({0, 0, 0, 2, 0, 0}, {});
  stranger.say(world, message.data(), message.size());
  ASSERT_EQ(world.failures.size(), 1u);
  EXPECT_EQ(world.failures[0].find("messages from host0 are missing"), 0u);
}

TEST(Endpoint, an_acknowledgement_of_nothing_is_an_error) {
  World world(ideal(), 2);
  Stranger stranger(world);
  const auto message = message_of({0, 0, message_bare, 1, 7, 0}, {});
  stranger.say(world, message.data(), message.size());
  EXPECT_EQ(world.failures.size(), 1u);
}

// Records that a peer has damaged and then sealed: nothing outside the PEs' memory is ever touched (the address sanitizer looks
// on), and the reader always comes to an end.
TEST(Endpoint, damaged_messages_do_no_harm) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 500; ++round) {
    World world(ideal(), 2);
    Stranger stranger(world);
    Records records;
    for (uint64_t i = 0; i < 1 + random() % 4; ++i) {
      const auto kind = static_cast<RecordKind>(1 + random() % 5);
      RecordHeader header{kind, static_cast<uint8_t>(random()), static_cast<uint16_t>(random() % 3),
                          static_cast<uint32_t>(random() % 64), random() % (4 * World::part_bytes)};
      auto payload = pattern(random() % 64, random());
      for (uint64_t k = 0; k < random() % 4; ++k)
        reinterpret_cast<char*>(&header)[random() % sizeof header] = static_cast<char>(random());
      records.push_back({header, payload});
    }
    const auto message = message_of({0, 0, static_cast<uint16_t>(random() % 2), 1, 0, 0}, records);
    stranger.say(world, message.data(), message.size());
  }
}

TEST(Endpoint, the_reader_takes_any_bytes) {
  std::mt19937_64 random(12);
  for (int round = 0; round < 200000; ++round) {
    std::vector<char> bytes(random() % 200);
    for (char& c : bytes) c = static_cast<char>(random() % 4 == 0 ? random() : random() % 6);
    MessageHeader header;
    if (!RecordReader::read_header(bytes.data(), bytes.size(), header)) continue;
    bytes.resize(bytes.size() - seal_tag_bytes);
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
