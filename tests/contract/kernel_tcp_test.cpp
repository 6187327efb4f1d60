// What the engine over the kernel's TCP does with connections that cross, break or come from strangers, and with streams that come in
// pieces.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "engine/tcp/inbox.hpp"
#include "engine/tcp/meeting.hpp"
#include "engine/tcp/tcp_engine.hpp"
#include "engine_contract.hpp"
#include "os/tcp_link.hpp"

namespace atrium {
namespace {

constexpr uint64_t key = 0x1234567890abcdefULL;

std::string header(TcpFrameKind kind, size_t bytes, uint64_t of = 0, uint64_t place = 0) {
  const TcpFrame frame{kind, static_cast<uint32_t>(bytes), of, place};
  return {reinterpret_cast<const char*>(&frame), sizeof frame};
}

// The driver of the contract, with engines of this one kind.
class KernelTcpTest : public EngineContract {
 protected:
  // A connection of nobody's, to an engine.
  TcpSocket stranger_at(size_t whom) {
    TcpSocket socket = connect_to(unpack_tcp_name(names[whom])->address);
    EXPECT_TRUE(socket.is_open());
    return socket;
  }
  void say_to(const TcpSocket& socket, const std::string& text) {
    for (size_t said = 0; said < text.size();) {
      turn();
      const ssize_t sent = ::send(socket.get(), text.data() + said, text.size() - said, MSG_NOSIGNAL);
      if (sent > 0) said += static_cast<size_t>(sent);
      ASSERT_TRUE(sent > 0 || errno == EAGAIN || errno == ENOTCONN || errno == EPIPE || errno == ECONNRESET)
          << std::strerror(errno);
      if (sent < 0 && (errno == EPIPE || errno == ECONNRESET)) return;
    }
  }
  // What the engine has said to it, if anything, until it closes or has answered.
  std::string heard_by(const TcpSocket& socket, size_t bytes) {
    std::string heard;
    for (int looks = 0; looks < 100'000 && heard.size() < bytes; ++looks) {
      turn();
      char text[256];
      const ssize_t got =
          ::recv(socket.get(), text, std::min(sizeof text, bytes - heard.size()), MSG_DONTWAIT);
      if (got == 0 || (got < 0 && errno != EAGAIN)) break;
      if (got > 0) heard.append(text, static_cast<size_t>(got));
    }
    return heard;
  }
  TcpFrameKind answer_to(const TcpSocket& socket) {
    const std::string heard = heard_by(socket, sizeof(TcpFrame));
    TcpFrame frame;
    if (heard.size() == sizeof frame) std::memcpy(&frame, heard.data(), sizeof frame);
    return frame.kind;
  }
  std::string hello(const std::string& mine, size_t whom) {
    return header(TcpFrameKind::hello, mine.size(), unpack_tcp_name(names[whom])->token) + mine;
  }
  // Still works: a message each way.
  void expect_to_work() {
    for (auto& messages : received) messages.clear();
    send(0, 1, "there");
    send(1, 0, "back");
    until([&] { return received[0].size() == 1 && received[1].size() == 1; });
  }
};

INSTANTIATE_TEST_SUITE_P(engine, KernelTcpTest, testing::Values(EngineOfContract{"kernel_tcp", tcp_net}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(KernelTcpTest, connections_that_cross_become_one) {
  for (int round = 0; round < 50; ++round) {
    net = {};
    names.clear(), peers.clear(), unposted.clear(), buffers.clear(), received.clear();
    OPEN(2);
    for (int number = 0; number < 5; ++number) {  // both connect before either looks
      const std::string& text = *sent.emplace_back(std::make_unique<std::string>(text_of(0, number, 100)));
      ASSERT_EQ(engine(0).send(peer(0, 1), text.data(), text.size(), nullptr), Post::taken);
      ASSERT_EQ(engine(1).send(peer(1, 0), text.data(), text.size(), nullptr), Post::taken);
    }
    if (round % 2) ::usleep(200);
    until([&] { return received[0].size() == 5 && received[1].size() == 5; });
    for (size_t side : {0u, 1u}) {
      for (int number = 0; number < 5; ++number)
        EXPECT_EQ(received[side][static_cast<size_t>(number)], text_of(0, number, 100));
      EXPECT_EQ(engine(side).links(peer(side, 1 - side)).size(), 1u);
    }
    EXPECT_EQ(engine(0).links(peer(0, 1))[0].mine, engine(1).links(peer(1, 0))[0].theirs);
    EXPECT_EQ(engine(0).links(peer(0, 1))[0].theirs, engine(1).links(peer(1, 0))[0].mine);
    EXPECT_EQ(count(EngineEvent::Kind::lost), 0u);
  }
}

TEST_P(KernelTcpTest, who_does_not_know_the_token_is_closed_and_counted) {
  OPEN(2);
  const std::string texts[] = {std::string(200, 'x'), header(TcpFrameKind::message, 8) + "whatever",
                               header(TcpFrameKind::hello, 4000, key),
                               header(TcpFrameKind::hello, names[0].size(), key) + names[0]};
  for (const std::string& text : texts) {
    done.clear();
    const TcpSocket socket = stranger_at(1);
    say_to(socket, text);
    until([&] { return count(EngineEvent::Kind::lost) == 1; });
    EXPECT_EQ(heard_by(socket, 1), "");
  }
  expect_to_work();
}

TEST_P(KernelTcpTest, nobody_takes_the_place_of_a_peer_in_its_connection) {
  OPEN(2);
  expect_to_work();
  const TcpSocket socket = stranger_at(1);
  say_to(socket, hello(names[0], 1));
  EXPECT_EQ(answer_to(socket), TcpFrameKind::crossed);
  expect_to_work();
}

TEST_P(KernelTcpTest, silent_guests_do_not_keep_peers_out) {
  OPEN(2);
  std::vector<TcpSocket> silent;
  for (int i = 0; i < 120; ++i) silent.push_back(stranger_at(1)), turn();
  expect_to_work();
}

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
  ASSERT_TRUE(engine(1).register_region(memory.data() + 1024, 2048, key));
  const TcpSocket socket = stranger_at(1);
  say_to(socket, hello(pack({"127.0.0.1:1", 1}), 1));
  EXPECT_EQ(answer_to(socket), TcpFrameKind::welcome);
  for (const uint64_t place :
       {uint64_t{2047}, uint64_t{2048}, uint64_t{1} << 40, ~uint64_t{0}, ~uint64_t{0} - 1}) {
    say_to(socket, header(TcpFrameKind::write, 2, key, place) + "xx");
    say_to(socket, header(TcpFrameKind::read, 2, key, place));
    EXPECT_EQ(answer_to(socket), TcpFrameKind::refusal);
  }
  EXPECT_EQ(memory, std::vector<char>(4096, 'm'));
  say_to(socket, header(TcpFrameKind::write, 2, key, 2046) + "xy" + header(TcpFrameKind::read, 2, key, 2046));
  EXPECT_EQ(heard_by(socket, sizeof(TcpFrame) + 2).substr(sizeof(TcpFrame)), "xy");
}

TEST_P(KernelTcpTest, a_read_that_is_refused_fails_and_says_why) {
  OPEN(2);
  RegionKey region = *engine(1).register_region(&net, sizeof net, key);
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
  const RegionKey region = *engine(1).register_region(memory.data(), memory.size(), key);
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

TEST_P(KernelTcpTest, a_peer_that_does_not_listen_is_an_error_with_its_address) {
  OPEN(2);
  const std::string nobody = pack({"127.0.0.1:1", 1});
  const Peer whom = *engine(0).insert(nobody);
  const Post post = engine(0).send(whom, "x", 1, this);
  if (post == Post::taken) {
    until([&] { return count(EngineEvent::Kind::failed) == 1; });
  }
  EXPECT_NE(engine(0).last_error().because.find("127.0.0.1:1"), std::string::npos)
      << engine(0).last_error().because;
  expect_to_work();
}

TEST_P(KernelTcpTest, without_descriptors_the_side_that_cannot_accept_says_so) {
  OPEN(2);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const TcpSocket last = stranger_at(0);  // its number is the highest
  send(0, 1, "connects");
  const int next = ::dup(0);
  ::close(next);
  rlimit none = before;
  none.rlim_cur = static_cast<rlim_t>(next);
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  for (int looks = 0; looks < 10000 && count(EngineEvent::Kind::failed) == 0; ++looks) turn();
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  ASSERT_GE(count(EngineEvent::Kind::failed), 1u);
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
  const RegionKey region = *engine(1).register_region(memory.data(), memory.size(), key);
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
  const RegionKey region = *engine(1).register_region(memory, sizeof memory, key);
  expect_to_work();
  size_t posted = 0;
  while (posted < 2000 && engine(0).read(peer(0, 1), region, 0, dest, 8, dest) == Post::taken) ++posted;
  EXPECT_LT(posted, 2000u);
  until([&] { return count(EngineEvent::Kind::read) == posted; });
  EXPECT_EQ(engine(0).read(peer(0, 1), region, 0, dest, 8, dest), Post::taken);
}

// Its copies of sockets that are closed here keep nobody awake.
TEST_P(KernelTcpTest, a_forked_process_keeps_no_closed_connection_alive) {
  OPEN(2);
  const std::string mine = pack({"127.0.0.1:1", 1});
  const TcpSocket socket = stranger_at(1);
  say_to(socket, hello(mine, 1));
  EXPECT_EQ(answer_to(socket), TcpFrameKind::welcome);
  int until_closed[2];
  ASSERT_EQ(::pipe(until_closed), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(until_closed[1]);
    char none;
    ::_exit(::read(until_closed[0], &none, 1) == 0 ? 0 : 1);
  }
  EXPECT_GT(child, 0);
  say_to(socket, header(TcpFrameKind::refusal, 0));
  until([&] { return engine(1).send(*engine(1).insert(mine), "x", 1, nullptr) == Post::failed; });
  say_to(socket, "and more");
  for (int turns = 0; turns < 1000; ++turns) turn();
  pollfd descriptor{engine(1).wait_fd(), POLLIN, 0};
  EXPECT_EQ(::poll(&descriptor, 1, 0), 0);
  ::close(until_closed[0]);
  ::close(until_closed[1]);
  ::waitpid(child, nullptr, 0);
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

// A peer that this test plays.
TEST_P(KernelTcpTest, who_makes_the_other_connection_says_nothing_more_on_this_one) {
  OPEN(1);
  TcpName played{"", 1};
  const TcpSocket listener = listen_at("127.0.0.1", played.address);
  ASSERT_EQ(engine(0).send(*engine(0).insert(pack(played)), "x", 1, this), Post::taken);
  TcpSocket socket;
  for (int turns = 0; turns < 100'000 && !socket.is_open(); ++turns)
    turn(), socket = accept_link(listener.get());
  say_to(socket, header(TcpFrameKind::crossed, 0) + header(TcpFrameKind::message, 4) + "text");
  until([&] { return count(EngineEvent::Kind::failed) == 1; });
  EXPECT_TRUE(received[0].empty());
}

// The attempt to reach it may come to nothing, where a firewall lets connections through in one direction alone.
TEST_P(KernelTcpTest, a_peer_that_comes_is_taken_while_it_cannot_be_reached) {
  OPEN(2);
  const TcpSocket full(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t bytes = sizeof address;
  ASSERT_EQ(::bind(full.get(), reinterpret_cast<sockaddr*>(&address), bytes), 0);
  ASSERT_EQ(::listen(full.get(), 0), 0);
  ASSERT_EQ(::getsockname(full.get(), reinterpret_cast<sockaddr*>(&address), &bytes), 0);
  const TcpName last{"127.0.0.1:" + std::to_string(ntohs(address.sin_port)), ~uint64_t{0}};
  std::vector<TcpSocket> in_queue;
  for (int i = 0; i < 4; ++i) in_queue.push_back(connect_to(last.address));
  ASSERT_EQ(engine(1).send(*engine(1).insert(pack(last)), "word", 4, nullptr), Post::taken);
  const TcpSocket socket = stranger_at(1);
  say_to(socket, hello(pack(last), 1));
  EXPECT_EQ(answer_to(socket), TcpFrameKind::welcome);
  EXPECT_EQ(heard_by(socket, sizeof(TcpFrame) + 4).substr(sizeof(TcpFrame)), "word");
}

TEST_P(KernelTcpTest, a_guest_that_is_silent_makes_room_where_descriptors_are_few) {
  OPEN(2);
  const TcpSocket silent = stranger_at(1);
  for (int turns = 0; turns < 1000; ++turns) turn();
  const TcpSocket socket = stranger_at(1);
  const int next = ::dup(0);
  ::close(next);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit none = before;
  none.rlim_cur = static_cast<rlim_t>(next);
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  say_to(socket, hello(pack({"127.0.0.1:1", 1}), 1));
  EXPECT_EQ(answer_to(socket), TcpFrameKind::welcome);
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_EQ(count(EngineEvent::Kind::failed), 0u);
}

TEST_P(KernelTcpTest, a_name_that_makes_no_sense_is_refused) {
  OPEN(1);
  for (const size_t bytes : {0u, 1u, 10u, 13u, 15u, 25u, 27u, 100u})
    EXPECT_FALSE(engine(0).insert(std::string(bytes, 'n'))) << bytes;
}

TEST(TcpNameTest, a_name_says_where_and_whom_in_few_bytes) {
  for (const char* address : {"10.1.2.3:4711", "127.0.0.1:1", "fe80::1:65535", "2001:db8::7:80"}) {
    const TcpName name{address, 0x0123456789abcdef};
    const auto again = unpack_tcp_name(pack(name));
    ASSERT_TRUE(again);
    EXPECT_EQ(again->address, address);
    EXPECT_EQ(again->token, name.token);
    EXPECT_LE(pack(name).size(), longest_tcp_name);
  }
}

// A host that is out of reach for a moment is no reason to fail.
TEST_P(KernelTcpTest, a_host_that_cannot_be_reached_now_is_tried_again) {
  OPEN(1);
  const Peer whom = *engine(0).insert(pack({"240.0.0.1:9", 1}));  // no host has such an address
  ASSERT_EQ(engine(0).send(whom, "x", 1, this), Post::taken);
  for (int turns = 0; turns < 1000; ++turns) turn();
  EXPECT_EQ(count(EngineEvent::Kind::failed), 0u) << engine(0).last_error().because;
}

// A stream of frames in pieces of every size, some of which are received where they go.
class Pieces : public TcpInboxOwner {
 public:
  explicit Pieces(uint64_t seed) : random_(seed) {}
  TcpLanding begins(const TcpFrame& frame) override {
    using Verdict = TcpLanding::Verdict;
    if (frame.kind == TcpFrameKind::message && may_wait_ && random_() % 4 == 0) return {Verdict::wait};
    if (frame.kind == TcpFrameKind::write) return {Verdict::skip};
    room_.assign(frame.follow(), '?');
    return {Verdict::take, room_.data()};
  }
  void is_there(const TcpFrame& frame) override {
    seen.push_back(header(frame.kind, frame.bytes) +
                   (frame.kind == TcpFrameKind::write ? std::string() : room_));
  }

  void feed(const std::string& stream) {
    for (size_t at = 0; at < stream.size();) {
      while (inbox_.waits()) {
        ASSERT_TRUE(inbox_.retry(*this));
      }
      const size_t piece = std::min<size_t>(stream.size() - at, 1 + random_() % (random_() % 3 ? 30 : 300));
      const std::span<char> direct = inbox_.direct();
      const size_t there = std::min(piece, direct.size());
      std::copy_n(stream.data() + at, there, direct.data());
      const std::string staged = inbox_.kept() + stream.substr(at + there, piece - there);
      inbox_.came_directly(there, *this);
      ASSERT_TRUE(inbox_.take(staged.data(), staged.size(), *this));
      at += piece;
    }
    may_wait_ = false;
    if (inbox_.waits()) {
      ASSERT_TRUE(inbox_.retry(*this));
    }
  }
  std::vector<std::string> seen;

 private:
  std::mt19937_64 random_;
  TcpInbox inbox_;
  std::string room_;
  bool may_wait_ = true;
};

TEST(TcpInboxTest, frames_come_whole_whatever_the_pieces) {
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    std::mt19937_64 random(seed);
    std::string stream;
    std::vector<std::string> expected;
    for (int i = 0; i < 40; ++i) {
      const auto kind = static_cast<TcpFrameKind>(4 + random() % 5);
      const size_t bytes = random() % 3 ? random() % 100 : 0;
      const std::string text(kind == TcpFrameKind::read ? 0 : bytes, static_cast<char>('a' + i % 26));
      stream += header(kind, bytes) + text;
      expected.push_back(header(kind, bytes) + (kind == TcpFrameKind::write ? std::string() : text));
    }
    Pieces pieces(seed);
    pieces.feed(stream);
    ASSERT_EQ(pieces.seen, expected) << "seed " << seed;
  }
}

}  // namespace
}  // namespace atrium
