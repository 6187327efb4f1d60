// What the engine over the kernel's TCP does with frames that are wrong, and with connections that break.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <vector>

#include "kernel_tcp_net.hpp"

namespace atrium {
namespace {

INSTANTIATE_TEST_SUITE_P(engine, KernelTcpTest, testing::Values(kernel_tcp_of_contract),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(KernelTcpTest, a_message_that_is_too_long_is_lost_and_the_next_one_comes) {
  OPEN(2);
  const TcpSocket socket = stranger_at(1);
  const std::string mine = pack({"127.0.0.1:1", 1});
  say_to(socket, hello(mine, 1));
  EXPECT_EQ(answer_to(socket), TcpFrameKind::welcome);
  say_to(socket, header(TcpFrameKind::message, largest + 1) + std::string(largest + 1, 'l') +
                     header(TcpFrameKind::message, 4) + "next");
  until([&] { return received[1].size() == 1; });
  EXPECT_EQ(received[1][0], "next");
  EXPECT_EQ(count(EngineEvent::Kind::lost), 1u);
}

TEST_P(KernelTcpTest, memory_outside_of_the_region_is_neither_written_nor_read) {
  OPEN(2);
  std::vector<char> memory(4096, 'm');
  ASSERT_TRUE(engine(1).register_region(memory.data() + 1024, 2048, tcp_key));
  const TcpSocket socket = stranger_at(1);
  say_to(socket, hello(pack({"127.0.0.1:1", 1}), 1));
  EXPECT_EQ(answer_to(socket), TcpFrameKind::welcome);
  for (const uint64_t place :
       {uint64_t{2047}, uint64_t{2048}, uint64_t{1} << 40, ~uint64_t{0}, ~uint64_t{0} - 1}) {
    say_to(socket, header(TcpFrameKind::write, 2, tcp_key, place) + "xx");
    say_to(socket, header(TcpFrameKind::read, 2, tcp_key, place));
    EXPECT_EQ(answer_to(socket), TcpFrameKind::refusal);
  }
  EXPECT_EQ(memory, std::vector<char>(4096, 'm'));
  say_to(socket,
         header(TcpFrameKind::write, 2, tcp_key, 2046) + "xy" + header(TcpFrameKind::read, 2, tcp_key, 2046));
  EXPECT_EQ(heard_by(socket, sizeof(TcpFrame) + 2).substr(sizeof(TcpFrame)), "xy");
}

TEST_P(KernelTcpTest, a_read_that_is_refused_fails_and_says_why) {
  OPEN(2);
  RegionKey region = *engine(1).register_region(&net, sizeof net, tcp_key);
  region.key = ~region.key;
  char dest[8];
  ASSERT_EQ(engine(0).read(peer(0, 1), region, 0, dest, sizeof dest, dest), Post::taken);
  until([&] { return done.size() == 1; });
  EXPECT_EQ(done[0].kind, EngineEvent::Kind::failed);
  EXPECT_EQ(done[0].token, dest);
  EXPECT_NE(engine(0).last_error().because.find("no such memory"), std::string::npos);
}

TEST_P(KernelTcpTest, frames_nobody_expects_end_the_connection_and_what_is_under_way_there) {
  for (const std::string& nonsense :
       {header(TcpFrameKind::data, 8), header(TcpFrameKind::refusal, 0), header(TcpFrameKind::welcome, 0),
        header(static_cast<TcpFrameKind>(77), 0)}) {
    net = {};
    names.clear(), peers.clear(), unposted.clear(), buffers.clear(), received.clear(), done.clear();
    OPEN(2);
    const std::string mine = pack({"127.0.0.1:1", 1});
    const Peer whom = *engine(1).insert(mine);
    const TcpSocket socket = stranger_at(1);
    say_to(socket, hello(mine, 1));
    EXPECT_EQ(answer_to(socket), TcpFrameKind::welcome);
    say_to(socket, nonsense);
    for (int turns = 0; turns < 1000; ++turns) turn();
    EXPECT_EQ(engine(1).send(whom, "x", 1, nullptr), Post::failed);
    const TcpSocket again = stranger_at(1);
    say_to(again, hello(mine, 1));
    EXPECT_EQ(heard_by(again, 1), "") << "there will be no other connection";
    expect_to_work();
  }
}

TEST_P(KernelTcpTest, a_peer_that_ends_in_the_middle_of_a_frame_is_a_failure) {
  OPEN(2);
  for (const std::string& torn :
       {header(TcpFrameKind::message, 100) + "begun", header(TcpFrameKind::message, 1).substr(0, 9)}) {
    done.clear();
    TcpSocket socket = stranger_at(1);
    say_to(socket, hello(pack({"127.0.0.1:1", torn.size()}), 1));
    EXPECT_EQ(answer_to(socket), TcpFrameKind::welcome);
    say_to(socket, torn);
    for (int turns = 0; turns < 1000; ++turns) turn();
    socket = {};
    until([&] { return count(EngineEvent::Kind::failed) == 1; });
  }
  done.clear();
  TcpSocket socket = stranger_at(1);
  say_to(socket, hello(pack({"127.0.0.1:1", 77}), 1));
  EXPECT_EQ(answer_to(socket), TcpFrameKind::welcome);
  socket = {};
  for (int turns = 0; turns < 1000; ++turns) turn();
  EXPECT_EQ(count(EngineEvent::Kind::failed), 0u) << "between two frames it may end";
}

TEST_P(KernelTcpTest, what_is_under_way_fails_when_the_peer_is_gone) {
  OPEN(2);
  std::vector<char> memory(1 << 22), dest(1 << 22);
  const RegionKey region = *engine(1).register_region(memory.data(), memory.size(), tcp_key);
  expect_to_work();
  ASSERT_EQ(engine(0).read(peer(0, 1), region, 0, dest.data(), dest.size(), &dest), Post::taken);
  constexpr size_t writes = 10;
  for (size_t i = 0; i < writes; ++i)
    ASSERT_EQ(engine(0).write(peer(0, 1), region, 0, dest.data(), dest.size(), &memory), Post::taken);
  net.engines.pop_back();
  names.pop_back();
  until([&] { return count(EngineEvent::Kind::failed) + count(EngineEvent::Kind::written) == writes + 1; });
  EXPECT_GE(count(EngineEvent::Kind::failed), 2u);
  EXPECT_NE(engine(0).last_error().because.find("127.0.0.1"), std::string::npos);
  EXPECT_EQ(engine(0).send(peers[1], "x", 1, nullptr), Post::failed);
}

TEST_P(KernelTcpTest, messages_wait_for_buffers_and_nothing_is_lost) {
  OPEN(2);
  net.engines[1].reset();  // one that has no buffers yet
  auto late = open_kernel_tcp({"", "auto", "lo", largest}, "127.0.0.1");
  ASSERT_TRUE(late);
  const Peer whom = *engine(0).insert(*(*late)->name());
  std::vector<std::string> texts;
  for (int number = 0; number < 100; ++number) texts.push_back(text_of(0, number, largest));
  EngineEvent events[16];
  size_t posted = 0, came = 0;
  for (int turns = 0; turns < 2000; ++turns) {
    if (posted < texts.size() && engine(0).send(whom, texts[posted].data(), largest, nullptr) != Post::later)
      ++posted;
    (void)engine(0).poll(events, 16);
    EXPECT_EQ((*late)->poll(events, 16), 0) << "nowhere to put it";
  }
  std::vector<char> buffer(2 * largest);
  bool is_posted = false;
  for (long turns = 0; turns < 1'000'000 && came < texts.size(); ++turns) {
    if (!is_posted) (void)(*late)->post_receive(buffer.data(), buffer.size(), &buffer), is_posted = true;
    if (posted < texts.size() && engine(0).send(whom, texts[posted].data(), largest, nullptr) != Post::later)
      ++posted;
    (void)engine(0).poll(events, 16);
    const int n = (*late)->poll(events, 16);
    for (int i = 0; i < n; ++i) {
      if (events[i].kind == EngineEvent::Kind::received) {
        EXPECT_EQ(std::string(events[i].data, events[i].bytes), texts[came++]);
      }
      if (events[i].kind == EngineEvent::Kind::buffer_used) is_posted = false;
    }
  }
  EXPECT_EQ(came, texts.size());
  net.engines.pop_back();
}

// Who posts one write after the other finds an event in each poll.
TEST_P(KernelTcpTest, writes_that_complete_at_once_keep_nobody_out) {
  OPEN(2);
  std::vector<char> memory(64);
  const RegionKey region = *engine(1).register_region(memory.data(), memory.size(), tcp_key);
  expect_to_work();
  received[0].clear();
  ASSERT_EQ(engine(1).send(peer(1, 0), "word", 4, nullptr), Post::done);
  for (int turns = 0; turns < 10'000 && received[0].empty(); ++turns) {
    const Post post = engine(0).write(peer(0, 1), region, 0, memory.data(), 1, &memory);
    ASSERT_NE(post, Post::failed);
    EngineEvent event[2];
    const int count = engine(0).poll(event, 2);
    for (int i = 0; i < count; ++i) handle(0, event[i]);
  }
  EXPECT_EQ(received[0].size(), 1u);
}

TEST_P(KernelTcpTest, reads_without_an_answer_are_bounded) {
  OPEN(2);
  char memory[64], dest[64];
  const RegionKey region = *engine(1).register_region(memory, sizeof memory, tcp_key);
  expect_to_work();
  size_t posted = 0;
  while (posted < 2000 && engine(0).read(peer(0, 1), region, 0, dest, 8, dest) == Post::taken) ++posted;
  EXPECT_LT(posted, 2000u);
  until([&] { return count(EngineEvent::Kind::read) == posted; });
  EXPECT_EQ(engine(0).read(peer(0, 1), region, 0, dest, 8, dest), Post::taken);
}

TEST_P(KernelTcpTest, a_connection_that_is_broken_while_its_message_waits_keeps_nobody_awake) {
  OPEN(1);
  auto late = open_kernel_tcp({"", "auto", "lo", largest}, "127.0.0.1");  // without buffers
  ASSERT_TRUE(late);
  names[0] = *(*late)->name();
  TcpSocket socket = stranger_at(0);
  say_to(socket, hello(pack({"127.0.0.1:1", 1}), 0));
  say_to(socket, header(TcpFrameKind::message, 4) + "text");
  EngineEvent events[2];
  for (int turns = 0; turns < 1000; ++turns) EXPECT_EQ((*late)->poll(events, 2), 0);
  const linger at_once{1, 0};
  ::setsockopt(socket.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  socket = {};
  for (int turns = 0; turns < 1000; ++turns) EXPECT_EQ((*late)->poll(events, 2), 0);
  pollfd descriptor{(*late)->wait_fd(), POLLIN, 0};
  EXPECT_EQ(::poll(&descriptor, 1, 0), 0);
  std::vector<char> buffer(2 * largest);
  ASSERT_EQ((*late)->post_receive(buffer.data(), buffer.size(), &buffer), Post::taken);
  ASSERT_EQ((*late)->poll(events, 2), 1);
  EXPECT_EQ(std::string(events[0].data, events[0].bytes), "text");
  names.clear();
}

}  // namespace
}  // namespace atrium
