// The watch between nodes (network/node_watch.hpp), and how it is introduced (job/watch_notice.hpp). That a network is cut
// tests/nodes/mpirun.sh tries: here all is on one host.
// SPDX-License-Identifier: BSD-3-Clause
#include "network/node_watch.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <mutex>

#include "job/watch_notice.hpp"

namespace atrium {
namespace {

constexpr uint64_t secret = 4711;

class Nodes : public testing::Test {
 protected:
  struct Node {
    std::atomic<uint64_t> found{0};
    std::mutex mutex;
    std::vector<std::string> ends;
    std::unique_ptr<NodeWatch> watch;  // the first to go: its thread uses the others
  };

  void start(size_t number) {
    NodeWatchPlan plan;
    for (size_t i = 0; i < number; ++i) {
      nodes.push_back(std::make_unique<Node>());
      nodes[i]->watch = NodeWatch::listen({"127.0.0.1"});
      ASSERT_TRUE(nodes[i]->watch);
      plan.names.push_back(nodes[i]->watch->names()[0]);
      plan.hosts.push_back("host" + std::to_string(i));
    }
    plan.secret = secret;
    plan.cut_off = [](void* node, const Error& error) {
      const std::lock_guard lock(static_cast<Node*>(node)->mutex);
      static_cast<Node*>(node)->ends.push_back(error.what + ": " + error.because);
    };
    for (plan.node = 0; plan.node < number; ++plan.node) {
      plan.subject = nodes[plan.node].get();
      plan.found = &nodes[plan.node]->found;
      nodes[plan.node]->watch->start(plan);
    }
    let_pass();  // they greet each other
  }
  static void let_pass() { ::usleep(500'000); }
  std::vector<std::string> ends_of(size_t node) {
    const std::lock_guard lock(nodes[node]->mutex);
    return nodes[node]->ends;
  }
  void wait_until_ended(size_t node) {
    while (ends_of(node).empty()) ::usleep(1000);
  }
  // Somebody who has found the port says what a neighbour would.
  TcpSocket say(uint64_t with_secret, uint64_t cut) {
    TcpSocket socket = connect_link(nodes[0]->watch->names()[0]);
    pollfd writable{socket.get(), POLLOUT, 0};
    ::poll(&writable, 1, -1);
    const uint64_t words[] = {with_secret, cut, 1};
    EXPECT_EQ(::send(socket.get(), words, sizeof words, 0), ssize_t{sizeof words});
    return socket;
  }

  std::vector<std::unique_ptr<Node>> nodes;
};

// From a leaf of the tree through its root to the other leaves.
TEST_F(Nodes, all_are_told_what_one_has_found) {
  start(6);
  nodes[5]->found = Cut{5, 4}.word();
  for (const size_t node : {0, 1, 2, 3, 4}) {
    wait_until_ended(node);
    EXPECT_EQ(ends_of(node),
              std::vector<std::string>{
                  "host4 cannot be reached: so host5 says: the network between it and host5 is cut, or the "
                  "host is down"});
  }
  EXPECT_TRUE(ends_of(5).empty());  // who has found it ends that one
}

TEST_F(Nodes, a_neighbour_that_is_gone_is_no_cut) {
  start(3);
  nodes[0]->watch.reset();
  nodes[2]->watch.reset();
  let_pass();
  EXPECT_TRUE(ends_of(1).empty());
}

TEST_F(Nodes, who_is_paused_minds_no_cut) {
  start(2);
  nodes[0]->watch->set_paused(true);
  nodes[1]->found = Cut{1, 0}.word();
  let_pass();
  EXPECT_TRUE(ends_of(0).empty());
}

TEST_F(Nodes, strangers_are_not_believed) {
  start(2);
  std::vector<TcpSocket> strangers;
  for (int i = 0; i < 40; ++i) strangers.push_back(say(secret + 1, Cut{1, 0}.word()));
  let_pass();
  EXPECT_TRUE(ends_of(0).empty());
  const TcpSocket strange_node = say(secret, Cut{7, 9}.word());
  let_pass();
  EXPECT_TRUE(ends_of(0).empty());
  const TcpSocket neighbour = say(secret, Cut{1, 0}.word());
  wait_until_ended(0);
}

TEST_F(Nodes, silent_strangers_keep_no_neighbour_out) {
  start(2);
  std::vector<TcpSocket> strangers;
  for (int i = 0; i < 40; ++i) strangers.push_back(connect_link(nodes[0]->watch->names()[0]));
  let_pass();
  nodes[1]->found = Cut{1, 0}.word();
  wait_until_ended(0);
}

TEST(NodeWatch, needs_an_address_of_this_host) {
  EXPECT_FALSE(NodeWatch::listen({"203.0.113.7", "nowhere", ""}));
  const auto watch = NodeWatch::listen({"nowhere", "127.0.0.1", "::1"});
  ASSERT_TRUE(watch);
  EXPECT_EQ(watch->names()[0], "");
  EXPECT_EQ(watch->names()[1].find("127.0.0.1:"), 0u);
}

TEST(WatchNotice, is_read_as_it_was_written) {
  const WatchNotice told{
      ~uint64_t{0}, "host1", {"10.9.0.1/24", "10.77.0.1/24"}, {"10.9.0.1:70", "10.77.0.1:80"}};
  const WatchNotice read = WatchNotice::read(told.text());
  EXPECT_EQ(read.secret, told.secret);
  EXPECT_EQ(read.host, told.host);
  EXPECT_EQ(read.networks, told.networks);
  EXPECT_EQ(read.names, told.names);
  for (const char* text : {"", " ", "x", "1 host a", "1 host a "})
    EXPECT_TRUE(WatchNotice::read(text).names.empty());
}

TEST(WatchNotice, names_are_those_of_the_network_that_all_are_in) {
  const WatchNotice a{1, "a", {"10.9.0.1/24", "10.77.0.1/24"}, {"x", "10.77.0.1:80"}},
      b{2, "b", {"10.77.0.2/24"}, {"10.77.0.2:90"}};
  EXPECT_EQ(names_in_common({a, b}), (std::vector<std::string>{"10.77.0.1:80", "10.77.0.2:90"}));
  EXPECT_TRUE(names_in_common({a, WatchNotice{}}).empty());
}

}  // namespace
}  // namespace atrium
