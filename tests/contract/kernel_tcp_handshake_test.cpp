// How engines over the kernel's TCP come to one connection, also where connections cross, strangers come, or a host cannot be reached.
// SPDX-License-Identifier: BSD-3-Clause
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <string>
#include <vector>

#include "core/log.hpp"
#include "kernel_tcp_net.hpp"

namespace atrium {
namespace {

using KernelTcpHandshake = KernelTcpTest;

INSTANTIATE_TEST_SUITE_P(engine, KernelTcpHandshake, testing::Values(kernel_tcp_of_contract),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(KernelTcpHandshake, connections_that_cross_become_one) {
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

TEST_P(KernelTcpHandshake, who_does_not_know_the_token_is_closed_and_counted) {
  OPEN(2);
  const std::string texts[] = {std::string(200, 'x'), header(TcpFrameKind::message, 8) + "whatever",
                               header(TcpFrameKind::hello, 4000, tcp_key),
                               header(TcpFrameKind::hello, names[0].size(), tcp_key) + names[0]};
  for (const std::string& text : texts) {
    done.clear();
    const TcpSocket socket = stranger_at(1);
    say_to(socket, text);
    until([&] { return count(EngineEvent::Kind::lost) == 1; });
    EXPECT_EQ(heard_by(socket, 1), "");
  }
  expect_to_work();
}

TEST_P(KernelTcpHandshake, nobody_takes_the_place_of_a_peer_in_its_connection) {
  OPEN(2);
  expect_to_work();
  const TcpSocket socket = stranger_at(1);
  say_to(socket, hello(names[0], 1));
  EXPECT_EQ(answer_to(socket), TcpFrameKind::crossed);
  expect_to_work();
}

TEST_P(KernelTcpHandshake, silent_guests_do_not_keep_peers_out) {
  OPEN(2);
  std::vector<TcpSocket> silent;
  for (int i = 0; i < 120; ++i) silent.push_back(stranger_at(1)), turn();
  expect_to_work();
}

TEST_P(KernelTcpHandshake, a_guest_that_is_silent_makes_room_where_descriptors_are_few) {
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

TEST_P(KernelTcpHandshake, without_descriptors_the_side_that_cannot_accept_says_so) {
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

TEST_P(KernelTcpHandshake, without_descriptors_the_side_that_cannot_connect_names_the_limit) {
  OPEN(2);
  const Peer to = *engine(0).insert(*engine(1).name());
  const int next = ::dup(0);
  ::close(next);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit none = before;
  none.rlim_cur = static_cast<rlim_t>(next);
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  const Post posted = engine(0).send(to, "x", 1, this);
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_EQ(posted, Post::failed);
  EXPECT_EQ(engine(0).last_error().number, EMFILE);
  EXPECT_NE(remedy_for(engine(0).last_error()).find("ulimit -n"), std::string::npos);
}

// A peer that this test plays.
TEST_P(KernelTcpHandshake, who_makes_the_other_connection_says_nothing_more_on_this_one) {
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
TEST_P(KernelTcpHandshake, a_peer_that_comes_is_taken_while_it_cannot_be_reached) {
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

TEST_P(KernelTcpHandshake, a_peer_that_does_not_listen_is_an_error_with_its_address) {
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

TEST_P(KernelTcpHandshake, where_no_route_leads_the_post_fails_and_says_what_to_try) {
  OPEN(1);
  const Peer whom = *engine(0).insert(pack({"224.0.0.1:9", 1}));  // the kernel connects to no group
  EXPECT_EQ(engine(0).send(whom, "x", 1, this), Post::failed);
  EXPECT_NE(engine(0).last_error().because.find("224.0.0.1:9: Network is unreachable"), std::string::npos);
  EXPECT_NE(engine(0).last_error().remedy.find("ATRIUM_NET_INTERFACE"), std::string::npos);
}

TEST_P(KernelTcpHandshake, a_name_that_makes_no_sense_is_refused) {
  OPEN(1);
  for (const size_t bytes : {0u, 1u, 10u, 13u, 15u, 25u, 27u, 100u})
    EXPECT_FALSE(engine(0).insert(std::string(bytes, 'n'))) << bytes;
}

// Its copies of sockets that are closed here keep nobody awake.
TEST_P(KernelTcpHandshake, a_forked_process_keeps_no_closed_connection_alive) {
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

}  // namespace
}  // namespace atrium
