// What every engine between nodes must do with messages, writes and reads: libfabric over loopback, and the network in memory under
// several conditions.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <poll.h>

#include <cstring>
#include <vector>

#include "engine_contract.hpp"

namespace atrium {
namespace {

constexpr uint64_t key = 0x1234567890abcdefULL;

INSTANTIATE_TEST_SUITE_P(engine, EngineContract, testing::ValuesIn(engines_of_contract),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(EngineContract, messages_arrive_whole_once_and_in_order) {
  OPEN(3);
  const size_t sizes[] = {8, 32, 64, 200, 1000, 4096, largest};
  for (int number = 0; number < 200; ++number) {
    for (size_t from : {0u, 1u}) send(from, 2, text_of(static_cast<int>(from), number, sizes[number % 7]));
  }
  until([&] { return received[2].size() >= 400; });
  int next[2] = {0, 0};
  for (auto& text : received[2]) {
    const int from = text[0] - '0';
    EXPECT_EQ(text, text_of(from, next[from], sizes[next[from] % 7]));
    ++next[from];
  }
  EXPECT_EQ(received[2].size(), 400u);
}

TEST_P(EngineContract, messages_that_cross_do_not_block_each_other) {
  OPEN(2);
  for (int number = 0; number < 300; ++number) {
    send(0, 1, text_of(0, number, largest));
    send(1, 0, text_of(1, number, largest));
  }
  until([&] { return received[0].size() == 300 && received[1].size() == 300; });
}

TEST_P(EngineContract, a_write_is_complete_when_the_data_is_there) {
  OPEN(2);
  if (engine(0).traits().sends_after_writes) GTEST_SKIP() << "not promised here";
  std::vector<char> memory(1 << 20, 0);
  const RegionKey region = *engine(1).register_region(memory.data(), memory.size(), key);
  std::vector<char> source(1 << 20);
  int round = 0;
  for (size_t bytes : {size_t{1}, size_t{8}, size_t{4096}, size_t{100000}, size_t{1} << 20}) {
    for (int repeat = 0; repeat < 20; ++repeat, ++round) {
      std::memset(source.data(), 1 + round % 200, bytes);
      done.clear();
      const uint64_t place = memory.size() - bytes;
      ASSERT_EQ(
          insist([&] { return engine(0).write(peer(0, 1), region, place, source.data(), bytes, this); }),
          Post::taken);
      until([&] { return count(EngineEvent::Kind::written) == 1; });
      ASSERT_EQ(done.back().token, this);
      ASSERT_EQ(std::memcmp(memory.data() + place, source.data(), bytes), 0) << bytes;
    }
  }
}

TEST_P(EngineContract, a_source_may_be_reused_when_its_write_is_complete) {
  OPEN(2);
  std::vector<char> memory(1 << 20, 0), source(1 << 20);
  const RegionKey region = *engine(1).register_region(memory.data(), memory.size(), key);
  for (int round = 1; round <= 60; ++round) {
    const size_t bytes = size_t{1} << round % 21;
    done.clear();
    std::memset(source.data(), round, bytes);
    ASSERT_EQ(insist([&] { return engine(0).write(peer(0, 1), region, 0, source.data(), bytes, this); }),
              Post::taken);
    until([&] { return count(EngineEvent::Kind::written) == 1; });
    std::memset(source.data(), 0, bytes);
    send(0, 1, "now");
    until([&] { return received[1].size() == static_cast<size_t>(round); });
    ASSERT_EQ(memory.front(), static_cast<char>(round));
    ASSERT_EQ(memory[bytes - 1], static_cast<char>(round));
  }
}

TEST_P(EngineContract, a_read_brings_what_is_there) {
  OPEN(2);
  std::vector<char> memory(1 << 20);
  for (size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<char>(i * 7 + i / 251);
  const RegionKey region = *engine(1).register_region(memory.data(), memory.size(), key);
  std::vector<char> dest(1 << 20);
  for (size_t bytes : {size_t{1}, size_t{8}, size_t{4097}, size_t{1} << 20}) {
    done.clear();
    const uint64_t place = (memory.size() - bytes) / 2;
    ASSERT_EQ(insist([&] { return engine(0).read(peer(0, 1), region, place, dest.data(), bytes, &dest); }),
              Post::taken);
    until([&] { return count(EngineEvent::Kind::read) == 1; });
    EXPECT_EQ(std::memcmp(dest.data(), memory.data() + place, bytes), 0) << bytes;
  }
}

TEST_P(EngineContract, many_writes_reads_and_messages_at_once) {
  OPEN(2);
  constexpr size_t block = 3000, blocks = 60;
  std::vector<char> memory(block * blocks * 2), source(block * blocks), dest(block * blocks);
  for (size_t i = 0; i < source.size(); ++i) source[i] = static_cast<char>(i * 31 + i / 127);
  std::memcpy(memory.data() + source.size(), source.data(), source.size());
  const RegionKey region = *engine(1).register_region(memory.data(), memory.size(), key);
  for (size_t i = 0; i < blocks; ++i) {
    const size_t at = i * block;
    EXPECT_EQ(insist([&] { return engine(0).write(peer(0, 1), region, at, &source[at], block, this); }),
              Post::taken);
    EXPECT_EQ(insist([&] {
                return engine(0).read(peer(0, 1), region, source.size() + at, &dest[at], block, this);
              }),
              Post::taken);
    send(0, 1, text_of(0, static_cast<int>(i), 100));
  }
  until([&] {
    return count(EngineEvent::Kind::written) == blocks && count(EngineEvent::Kind::read) == blocks &&
           received[1].size() == blocks;
  });
  EXPECT_EQ(std::memcmp(memory.data(), source.data(), source.size()), 0);
  EXPECT_EQ(dest, source);
}

TEST_P(EngineContract, a_message_sees_the_writes_before_it_where_that_is_promised) {
  OPEN(2);
  if (!engine(0).traits().sends_after_writes) GTEST_SKIP() << "not promised here";
  std::vector<char> memory(1 << 16), source(1 << 16);
  const RegionKey region = *engine(1).register_region(memory.data(), memory.size(), key);
  for (int round = 1; round < 200; ++round) {
    std::memset(source.data(), round, source.size());
    ASSERT_EQ(
        insist([&] { return engine(0).write(peer(0, 1), region, 0, source.data(), source.size(), this); }),
        Post::taken);
    send(0, 1, "now");
    until([&] { return received[1].size() == static_cast<size_t>(round); });
    EXPECT_EQ(memory.front(), static_cast<char>(round));
    EXPECT_EQ(memory.back(), static_cast<char>(round));
    until([&] { return count(EngineEvent::Kind::written) == static_cast<size_t>(round); });
  }
}

TEST_P(EngineContract, a_wrong_key_touches_nothing) {
  OPEN(2);
  std::vector<char> memory(4096, 'm'), source(4096, 's');
  RegionKey region = *engine(1).register_region(memory.data(), memory.size(), key);
  region.key ^= 0x5555;
  const Post post =
      insist([&] { return engine(0).write(peer(0, 1), region, 0, source.data(), source.size(), this); });
  if (post == Post::taken) {
    for (int turns = 0; turns < 20000; ++turns) turn();
    EXPECT_TRUE(engine(0).traits().sends_after_writes || count(EngineEvent::Kind::written) == 0)
        << "delivery was said to be complete";
  }
  EXPECT_EQ(memory, std::vector<char>(4096, 'm'));
}

TEST_P(EngineContract, the_descriptor_becomes_readable_when_a_message_comes) {
  OPEN(2);
  if (engine(1).wait_fd() < 0) GTEST_SKIP() << "it has none";
  send(0, 1, "connects");
  until([&] { return received[1].size() == 1; });
  for (int turns = 0; turns < 1000; ++turns) turn();
  send(0, 1, "wakes");
  // Only the target looks now: either it may not sleep, or the descriptor wakes it.
  EngineEvent completions[16];
  for (int naps = 0; naps < 2000 && received[1].size() < 2; ++naps) {
    if (engine(1).may_sleep()) {
      pollfd descriptor{engine(1).wait_fd(), POLLIN, 0};
      ::poll(&descriptor, 1, 20);
    }
    const int n = engine(1).poll(completions, 16);
    for (int k = 0; k < n; ++k) handle(1, completions[k]);
  }
  EXPECT_EQ(received[1].size(), 2u);
}

TEST_P(EngineContract, closing_one_end_leaves_the_other_usable) {
  OPEN(3);
  send(0, 1, "hello");
  until([&] { return received[1].size() == 1; });
  for (int turns = 0; turns < 100; ++turns) turn();
  net.engines[1].reset();
  net.engines.erase(net.engines.begin() + 1);  // engines are now 0 and 2
  const std::string text = "still here";
  const Post post = insist([&] { return net.engines[0]->send(peers[2], text.data(), text.size(), this); });
  ASSERT_TRUE(post == Post::taken || post == Post::done);
  EngineEvent completions[16];
  bool came = false;
  for (long turns = 0; turns < 20'000'000 && !came; ++turns) {
    net.engines[0]->poll(completions, 16);
    const int n = net.engines[1]->poll(completions, 16);
    for (int k = 0; k < n; ++k) came = came || completions[k].kind == EngineEvent::Kind::received;
  }
  EXPECT_TRUE(came);
}

}  // namespace
}  // namespace atrium
