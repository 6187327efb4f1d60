// Two wires that talk by hand: no engine, no lock, no clock (wire/wire.hpp). And what they say, in words (wire/describe.hpp).
// SPDX-License-Identifier: BSD-3-Clause
#include "wire/wire.hpp"

#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "wire/describe.hpp"

namespace atrium {
namespace {

std::vector<std::string> traced;

class End final : public WireOwner {
 public:
  explicit End(uint32_t node) : node(static_cast<int>(node)), wire(memory, *this) {
    WirePlan plan{{node, 0}, {}, &chacha20_poly1305, {1, 1}, size_t{1} << 20, true};
    plan.trace = [](const std::string& text) { traced.push_back(text); };
    wire.connect(plan);
  }
  void wake(int, uint64_t offset, uint64_t) override { woken.push_back(offset); }
  void opened(Channel&) override {}
  void answered(Channel&) override { ++answers; }
  bool take_links(Channel&, const Record&) override { return false; }

  bool try_to_begin(const Request& request) {
    const QueuedOperation queued = wire.enqueue(request);
    if (!wire.may_begin(request, queued)) return false;
    wire.begin(request, queued);
    return true;
  }
  // All that may go, as the bytes of messages; parts move at once.
  std::vector<std::string> say(End& peer) {
    Channel& channel = wire.channel_to(peer.node);
    while (const auto part = wire.next_part(channel)) {
      std::memcpy(peer.memory.view + part->place, part->local, part->bytes);
      wire.posted(*part, PostOutcome::copied);
    }
    std::vector<std::string> said;
    while (Message* message = wire.next_message(channel, true)) {
      said.emplace_back(message->bytes, message->used);
      wire.posted(*message, PostOutcome::copied);
    }
    return said;
  }
  Received::Kind receive(const std::string& message) {
    return wire.receive(message.data(), message.size()).kind;
  }

  const int node;
  alignas(64) uint64_t words[16384] = {};
  NodeMemory memory{reinterpret_cast<char*>(words), 1, {sizeof words, 0, sizeof words}};
  std::vector<uint64_t> woken;
  int answers = 0;
  Wire wire;
};

class Wires : public ::testing::Test {
 protected:
  Wires() : a(0), b(1) { traced.clear(); }

  Request put(uint64_t offset, uint64_t* value, size_t bytes = 8) {
    return {put_of({1, 0, offset}, bytes), reinterpret_cast<char*>(value), &pending};
  }
  Request uncounted(std::vector<uint64_t>& words) {
    return {put_of({1, 0, 128}, 8 * words.size()), reinterpret_cast<char*>(words.data())};
  }
  // What each has to say goes to the other, until there is nothing.
  void talk() {
    for (bool quiet = false; !quiet;) {
      quiet = true;
      for (const std::string& message : a.say(b))
        EXPECT_EQ(b.receive(message), Received::Kind::message), quiet = false;
      for (const std::string& message : b.say(a))
        EXPECT_EQ(a.receive(message), Received::Kind::message), quiet = false;
    }
  }

  Pending pending = 0;
  End a, b;
};

TEST_F(Wires, a_put_is_complete_when_its_target_has_said_so) {
  uint64_t seven = 7;
  ASSERT_TRUE(a.try_to_begin(put(64, &seven)));
  Quiet quiet(a.wire, &pending);
  const auto said = a.say(b);
  ASSERT_EQ(said.size(), 1u);
  EXPECT_EQ(b.receive(said[0]), Received::Kind::message);
  EXPECT_EQ(b.words[8], 7u);
  EXPECT_EQ(b.woken, std::vector<uint64_t>{64});
  EXPECT_FALSE(quiet.is_over());
  talk();
  EXPECT_TRUE(quiet.is_over());
  EXPECT_EQ(pending, 0u);
  EXPECT_EQ(a.answers, 1);
  EXPECT_EQ(a.wire.begun() + b.wire.begun(), a.wire.ended() + b.wire.ended());
}

TEST_F(Wires, what_was_refused_goes_first_and_once) {
  uint64_t seven = 7;
  ASSERT_TRUE(a.try_to_begin(put(64, &seven)));
  Channel& channel = a.wire.channel_to(1);
  Message* message = a.wire.next_message(channel, true);
  ASSERT_NE(message, nullptr);
  a.wire.posted(*message, PostOutcome::refused);
  EXPECT_TRUE(channel.owes_answer());
  EXPECT_EQ(a.wire.next_message(channel, true), message);
  talk();
  EXPECT_EQ(b.words[8], 7u);
}

TEST_F(Wires, a_message_that_comes_twice_or_was_changed_is_a_strangers) {
  uint64_t seven = 7;
  ASSERT_TRUE(a.try_to_begin(put(64, &seven)));
  std::string message = a.say(b).at(0), changed = message;
  changed[40] ^= 1;
  EXPECT_EQ(b.receive(changed), Received::Kind::stranger);
  EXPECT_EQ(b.words[8], 0u);
  EXPECT_EQ(b.receive(message), Received::Kind::message);
  EXPECT_EQ(b.receive(message), Received::Kind::stranger);
}

TEST_F(Wires, a_missing_message_is_a_gap_that_names_the_number) {
  uint64_t seven = 7;
  ASSERT_TRUE(a.try_to_begin(put(64, &seven)));
  a.say(b);
  ASSERT_TRUE(a.try_to_begin(put(72, &seven)));
  const std::string second = a.say(b).at(0);
  const Received received = b.wire.receive(second.data(), second.size());
  EXPECT_EQ(received.kind, Received::Kind::gap);
  EXPECT_EQ(received.number, 2u);
}

TEST_F(Wires, a_record_behind_a_fence_waits_until_the_network_has_the_write_before_it) {
  std::vector<uint64_t> large(put_by_record / 8 + 1, 5);
  uint64_t seven = 7;
  ASSERT_TRUE(a.try_to_begin(put(128, large.data(), 8 * large.size())));
  EXPECT_EQ(a.wire.oldest_transfer(), 1u);
  a.wire.fence();
  EXPECT_FALSE(a.try_to_begin(put(64, &seven)));
  talk();
  EXPECT_EQ(std::memcmp(&b.words[16], large.data(), 8 * large.size()), 0);
  EXPECT_EQ(a.wire.oldest_transfer(), 0u);
  EXPECT_TRUE(a.try_to_begin(put(64, &seven)));
}

// The message has room for the record that ends the write, and for no second one.
TEST_F(Wires, who_waits_for_a_large_put_waits_for_its_signal_too) {
  std::vector<uint64_t> large(put_by_record / 8 + 1, 5);
  uint64_t seven = 7;
  const Channel& channel = a.wire.channel_to(1);
  ASSERT_TRUE(a.try_to_begin(put(1024, large.data(), put_by_record)));
  while (records_end - channel.open->used >= 2 * record_bytes(8))
    ASSERT_TRUE(a.try_to_begin(put(64, &seven)));
  ASSERT_GE(records_end - channel.open->used, record_bytes(8));
  ASSERT_TRUE(a.try_to_begin({signal_of({1, 0, 32768}, 8 * large.size(), {1, 0, 72}, {WordOp::set, 8, 9}),
                              reinterpret_cast<char*>(large.data()), &pending}));
  Quiet quiet(a.wire);
  const auto said = a.say(b);
  ASSERT_EQ(said.size(), 2u);
  EXPECT_EQ(b.receive(said[0]), Received::Kind::message);
  for (const std::string& answer : b.say(a)) EXPECT_EQ(a.receive(answer), Received::Kind::message);
  EXPECT_FALSE(quiet.is_over());
  EXPECT_EQ(b.receive(said[1]), Received::Kind::message);
  talk();
  EXPECT_TRUE(quiet.is_over());
  EXPECT_EQ(b.words[9], 9u);
  EXPECT_EQ(pending, 0u);
}

TEST_F(Wires, a_quiet_waits_for_the_networks_report_of_a_write_whose_answer_has_come) {
  std::vector<uint64_t> large(put_by_record / 8 + 1, 5);
  ASSERT_TRUE(a.try_to_begin(put(1024, large.data(), 8 * large.size())));
  const auto part = a.wire.next_part(a.wire.channel_to(1));
  ASSERT_TRUE(part);
  a.wire.posted(*part, PostOutcome::kept);
  Quiet quiet(a.wire, &pending);
  talk();
  EXPECT_FALSE(quiet.is_over());
  a.wire.part_done(*part->transfer);
  EXPECT_TRUE(quiet.is_over());
  EXPECT_EQ(pending, 0u);
}

// As the data of a collective, behind which its flag goes: who has read it sends something, too.
TEST_F(Wires, a_large_put_that_nobody_counts_is_acknowledged_by_the_next_message_of_the_peer) {
  std::vector<uint64_t> large(put_by_record / 8 + 1, 5);
  uint64_t seven = 7;
  ASSERT_TRUE(a.try_to_begin(uncounted(large)));
  EXPECT_EQ(b.receive(a.say(b).at(0)), Received::Kind::message);
  EXPECT_EQ(std::memcmp(&b.words[16], large.data(), 8 * large.size()), 0);
  EXPECT_TRUE(b.say(a).empty());
  EXPECT_EQ(a.wire.oldest_transfer(), 1u);
  EXPECT_FALSE(a.wire.channel_to(1).owes_answer());
  ASSERT_TRUE(b.try_to_begin({put_of({0, 0, 64}, 8), reinterpret_cast<char*>(&seven), nullptr}));
  EXPECT_EQ(a.receive(b.say(a).at(0)), Received::Kind::message);
  EXPECT_EQ(a.wire.oldest_transfer(), 0u);
}

TEST_F(Wires, a_quiet_asks_for_the_landing_of_a_large_put_that_nobody_counts) {
  std::vector<uint64_t> large(put_by_record / 8 + 1, 5);
  ASSERT_TRUE(a.try_to_begin(uncounted(large)));
  talk();
  Quiet quiet(a.wire);
  EXPECT_FALSE(quiet.is_over());
  talk();
  EXPECT_TRUE(quiet.is_over());
}

TEST_F(Wires, what_waits_for_a_large_put_that_nobody_counts_asks_for_its_landing) {
  std::vector<uint64_t> large(put_by_record / 8 + 1, 5), read(large.size());
  ASSERT_TRUE(a.try_to_begin(uncounted(large)));
  talk();
  const Request get{get_of({1, 0, 128}, 8 * read.size()), reinterpret_cast<char*>(read.data()), &pending};
  EXPECT_FALSE(a.try_to_begin(get));
  talk();
  EXPECT_TRUE(a.try_to_begin(get));
}

// The network has taken a part of it only when somebody waits.
TEST_F(Wires, a_landing_that_is_awaited_before_it_is_told_is_asked_for_when_it_is) {
  std::vector<uint64_t> large(put_by_record / 8 + 1, 5);
  ASSERT_TRUE(a.try_to_begin(uncounted(large)));
  Quiet quiet(a.wire);
  EXPECT_EQ(b.receive(a.say(b).at(0)), Received::Kind::message);
  EXPECT_EQ(a.receive(b.say(a).at(0)), Received::Kind::message);
  EXPECT_TRUE(quiet.is_over());
}

TEST_F(Wires, nothing_is_owed_for_a_refused_question_whose_answer_has_come) {
  uint64_t seven = 7;
  ASSERT_TRUE(a.try_to_begin(put(64, &seven)));
  const std::string said = a.say(b).at(0);
  Quiet quiet(a.wire);
  Channel& channel = a.wire.channel_to(1);
  Message* const question = a.wire.next_message(channel, true);
  ASSERT_NE(question, nullptr);
  a.wire.posted(*question, PostOutcome::refused);
  EXPECT_TRUE(channel.owes_answer());
  EXPECT_EQ(b.receive(said), Received::Kind::message);
  ASSERT_TRUE(b.try_to_begin({put_of({0, 0, 64}, 8), reinterpret_cast<char*>(&seven), nullptr}));
  EXPECT_EQ(a.receive(b.say(a).at(0)), Received::Kind::message);
  EXPECT_TRUE(quiet.is_over());
  EXPECT_EQ(a.wire.next_message(channel, true), nullptr);
  EXPECT_FALSE(channel.owes_answer());
}

// 2^32 messages take hours, so they are numbered from shortly before that.
TEST_F(Wires, numbers_of_messages_and_fetches_may_come_round) {
  constexpr uint32_t begin = ~uint32_t{0} - 20;
  for (Channel* channel : {&a.wire.channel_to(1), &b.wire.channel_to(0)}) {
    for (uint32_t* number :
         {&channel->sent, &channel->answered, &channel->asked, &channel->executed, &channel->acknowledged,
          &channel->stored, &channel->fenced.message, &channel->fetches_issued, &channel->fetches_done})
      *number = begin;
  }
  std::vector<uint64_t> large(put_by_record / 8 + 1);
  const auto insist = [&](const Request& request) {
    for (int tries = 0; tries < 3; ++tries, talk())
      if (a.try_to_begin(request)) return;
    ADD_FAILURE() << "it may not begin: " << describe(a.wire.channel_to(1));
  };
  for (uint64_t round = 1; round <= 100; ++round) {
    uint64_t word = round, old = 0;
    std::fill(large.begin(), large.end(), round);
    if (round % 3 == 0) insist(put(64, &word));
    a.wire.fence();
    if (round % 2 == 0) insist(put(1024, large.data(), 8 * large.size()));
    insist({fetch_of({1, 0, 72}, {WordOp::add, 8, 1}), reinterpret_cast<char*>(&old), &pending});
    Quiet quiet(a.wire);
    EXPECT_FALSE(quiet.is_over());
    talk();
    EXPECT_TRUE(quiet.is_over()) << describe(a.wire.channel_to(1));
    EXPECT_EQ(old, round - 1);
    EXPECT_EQ(b.words[8], round / 3 * 3);
    EXPECT_EQ(b.words[128], round / 2 * 2);
    EXPECT_FALSE(a.wire.channel_to(1).owes_answer());
  }
  EXPECT_EQ(pending, 0u);
  EXPECT_LT(a.wire.channel_to(1).sent, begin);
  EXPECT_LT(a.wire.channel_to(1).fetches_done, begin);
}

TEST_F(Wires, a_fetch_brings_the_old_value) {
  b.words[8] = 40;
  uint64_t old = 0;
  const Request fetch{fetch_of({1, 0, 64}, {WordOp::add, 8, 2}), reinterpret_cast<char*>(&old), &pending};
  ASSERT_TRUE(a.try_to_begin(fetch));
  talk();
  EXPECT_EQ(old, 40u);
  EXPECT_EQ(b.words[8], 42u);
  EXPECT_EQ(pending, 0u);
}

// The network's read overtakes messages.
TEST_F(Wires, a_large_get_waits_for_a_fetch_that_changes_a_word_and_for_no_other) {
  std::vector<uint64_t> read(get_by_record / 8 + 1);
  uint64_t old = 0;
  const Request get{get_of({1, 0, 64}, 8 * read.size()), reinterpret_cast<char*>(read.data()), &pending};
  const auto fetch_by = [&](const WordChange& change) {
    return Request{fetch_of({1, 0, 64}, change), reinterpret_cast<char*>(&old), &pending};
  };
  ASSERT_TRUE(a.try_to_begin(fetch_by({WordOp::add, 8, 2})));
  EXPECT_FALSE(a.try_to_begin(get));
  talk();
  ASSERT_TRUE(a.try_to_begin(fetch_by({WordOp::fetch, 8})));
  EXPECT_TRUE(a.try_to_begin(get));
}

TEST(Wire, a_put_waits_for_no_copy_that_another_channel_holds) {
  End end(0);
  Wire wire(end.memory, end);
  wire.connect({{0, 0}, {}, &chacha20_poly1305, {1, 1, 1}, size_t{1} << 20, true});
  std::vector<char> data(put_by_record + 8);
  Pending returns = 0;
  std::optional<Part> last;  // that the engine still reads
  const auto put_to = [&](int node) {
    const Request put{put_of({node, 0, 128}, data.size()), data.data(), nullptr, &returns, true};
    const QueuedOperation queued = wire.enqueue(put);
    if (!wire.may_begin(put, queued)) return false;
    wire.begin(put, queued);
    last = wire.next_part(wire.channel_to(node));
    wire.posted(*last, PostOutcome::kept);
    return true;
  };
  for (int puts = 0; put_to(1); ++puts) ASSERT_LT(puts, 1000);
  EXPECT_EQ(returns, 0u);
  const Part of_the_first = *last;
  ASSERT_TRUE(put_to(2));
  EXPECT_EQ(last->local, data.data());
  EXPECT_EQ(returns, 1u);
  wire.part_done(*last->transfer);
  EXPECT_EQ(returns, 0u);
  EXPECT_FALSE(put_to(1));
  wire.part_done(*of_the_first.transfer);
  EXPECT_TRUE(put_to(1));
  EXPECT_EQ(returns, 0u);
}

TEST(Wire, every_operation_on_a_word_comes_out_of_a_record_as_it_went_in) {
  const char payload[16] = {};
  std::set<std::string> texts;
  for (uint8_t number = 0; number < static_cast<uint8_t>(WordOp::count); ++number) {
    const auto op = static_cast<WordOp>(number);
    for (const unsigned width : {2u, 4u, 8u})
      for (const bool asks : {false, true}) {
        const uint8_t detail = change_detail(op, width, asks);
        EXPECT_EQ(op_of(detail), op);
        EXPECT_EQ(width_of(detail), width);
        EXPECT_EQ(answers(detail), asks);
      }
    texts.insert(describe(Record{{RecordKind::change, change_detail(op, 8, false), 0, 0, 0}, payload, 8}));
  }
  EXPECT_EQ(texts.size(), static_cast<size_t>(WordOp::count));
}

TEST(Wire, a_channel_of_which_little_is_used_takes_little_memory) {
  constexpr size_t nodes = 500;
  End end(0);
  Wire wire(end.memory, end);
  WirePlan plan{{0, 0}, {}, &chacha20_poly1305, std::vector<size_t>(nodes, 1), size_t{1} << 20, true};
  wire.connect(plan);
  const size_t before = ::mallinfo2().uordblks;
  for (int node = 1; node < static_cast<int>(nodes); ++node) wire.channel_to(node);
  EXPECT_LE((::mallinfo2().uordblks - before) / nodes, 1536u);
}

TEST_F(Wires, messages_and_channels_are_told_in_words) {
  uint64_t seven = 7, old = 0;
  ASSERT_TRUE(a.try_to_begin(put(64, &seven)));
  ASSERT_TRUE(
      a.try_to_begin({fetch_of({1, 0, 72}, {WordOp::add, 8, 2}), reinterpret_cast<char*>(&old), &pending}));
  EXPECT_NE(describe(a.wire.channel_to(1)).find("channel to node 1.0: sent 0, answered 0, asked 0"),
            std::string::npos);
  EXPECT_NE(describe(a.wire.channel_to(1)).find("2 records open"), std::string::npos);
  b.receive(a.say(b).at(0));
  ASSERT_EQ(traced.size(), 2u);
  EXPECT_EQ(traced[0],
            "to node 1: message 1 of node 0.0, executed 0; put 8 bytes to 0x40 of PE 0; add 0x2, 8 bytes, at "
            "0x48 of PE 0, fetch 4095");
  EXPECT_EQ(traced[1].substr(traced[1].find("message")), traced[0].substr(traced[0].find("message")));
  b.say(a);
  EXPECT_NE(traced.back().find("reply of 8 bytes to fetch 4095"), std::string::npos) << traced.back();
}

}  // namespace
}  // namespace atrium
