// How hosts are dealt to agents, and answers of many hosts become one (launch/hosts).
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "launch/hosts/answers.hpp"
#include "launch/hosts/blobs.hpp"
#include "launch/hosts/branches.hpp"
#include "launch/hosts/wait_round.hpp"

namespace atrium {
namespace {

std::vector<std::string> names(size_t count) {
  std::vector<std::string> hosts;
  for (size_t host = 0; host < count; ++host) hosts.push_back("pretended" + std::to_string(host));
  return hosts;
}

// "first+count first+count"
std::string parts(const std::vector<std::string>& hosts, int width) {
  std::string text;
  for (const HostRange& part : parts_of(hosts, width))
    text += (text.empty() ? "" : " ") + std::to_string(part.first) + "+" + std::to_string(part.count);
  return text;
}

TEST(Tree, has_no_inner_agents_below_its_width) {
  EXPECT_EQ(parts(names(1), 32), "0+1");
  EXPECT_EQ(parts(names(4), 4), "0+1 1+1 2+1 3+1");
}

TEST(Tree, deals_neighbours_out_evenly) {
  EXPECT_EQ(parts(names(5), 4), "0+2 2+1 3+1 4+1");
  EXPECT_EQ(parts(names(11), 3), "0+4 4+4 8+3");
  EXPECT_EQ(parts(names(3), 1), "0+3");
}

TEST(Tree, leaves_hosts_that_mean_another_one_to_everybody_to_the_first_oshrun) {
  std::vector<std::string> hosts = names(6);
  hosts[1] = "localhost";
  EXPECT_EQ(parts(hosts, 2), "0+1 1+1 2+1 3+3");
  hosts[0] = "127.0.0.1";
  EXPECT_EQ(parts(hosts, 1), "0+1 1+1 2+4");
}

class Asked : public Host {
 public:
  int questions = 0;

  void sample_waits() override { ++questions; }
  void start() override {}
  void reap() override {}
  int running() const override { return 1; }
  bool is_running(int) const override { return true; }
  void signal_all(int) override {}
  void signal_prepared(int) override {}
  void sample(std::chrono::milliseconds) override {}
  void find_places() override {}
  void compare_silence(const SilentPeer&) override {}
  void announce_exit() override {}
  void end() override {}
  void sweep(bool) override {}
  void hurry() override {}
  void deliver(const NodeBlobs&) override {}
};

WaitSample sample_of(bool all_wait, uint64_t begun) { return {all_wait, begun, 0, {}}; }

TEST(WaitRound, is_over_when_each_host_has_answered_once) {
  Asked a, b;
  WaitRound round;
  round.set_hosts({&a, &b});
  round.begin();
  EXPECT_FALSE(round.add(a, sample_of(true, 3)));
  EXPECT_FALSE(round.add(a, sample_of(true, 3))) << "it was asked once";
  const auto whole = round.add(b, sample_of(true, 4));
  ASSERT_TRUE(whole);
  EXPECT_TRUE(whole->all_wait);
  EXPECT_EQ(whole->begun, 7u);
  EXPECT_FALSE(round.add(b, sample_of(true, 4))) << "it was not asked again";
}

TEST(WaitRound, asks_a_host_that_is_at_work_alone_until_it_waits) {
  Asked a, b;
  WaitRound round;
  round.set_hosts({&a, &b});
  round.begin();
  round.add(a, sample_of(true, 0));
  EXPECT_FALSE(round.add(b, sample_of(false, 0))->all_wait);
  round.begin();
  EXPECT_FALSE(round.add(b, sample_of(false, 0))->all_wait);
  EXPECT_EQ(a.questions, 1);
  round.begin();
  EXPECT_FALSE(round.add(b, sample_of(true, 0))) << "now the other one is asked, too";
  EXPECT_EQ(a.questions, 2);
  EXPECT_TRUE(round.add(a, sample_of(true, 0))->all_wait);
  EXPECT_EQ(b.questions, 3);
}

TEST(Answers, takes_each_answer_to_its_last_question_once) {
  Loop loop;
  Asked a, b;
  std::vector<std::vector<int>> taken;
  Answers<int> answers([&](std::vector<int> all) { taken.push_back(std::move(all)); });
  std::vector<Host*> asked;
  const auto ask = [&](Host& host) { asked.push_back(&host); };
  answers.ask({&a, &b}, ask);
  EXPECT_EQ(asked, (std::vector<Host*>{&a, &b}));
  answers.add(a, {1});
  answers.add(a, {1});
  EXPECT_TRUE(answers.is_under_way());
  answers.add(b, {2, 3});
  EXPECT_EQ(taken, (std::vector<std::vector<int>>{{1, 2, 3}}));
  const auto ask_in_time = [&](Host& host, std::chrono::milliseconds time) {
    EXPECT_LT(time, std::chrono::milliseconds(1000));
    ask(host);
  };
  answers.ask_within(loop, std::chrono::milliseconds(1), {&a, &b}, ask_in_time);
  answers.add(b, {4});
  while (answers.is_under_way()) loop.turn();
  answers.add(a, {5});
  EXPECT_EQ(taken, (std::vector<std::vector<int>>{{1, 2, 3}, {4}})) << "5 came too late";
}

TEST(Blobs, are_whole_when_so_many_nodes_have_told_also_nothing) {
  Blobs blobs(3);
  blobs.add(1, {});
  EXPECT_FALSE(blobs.take_complete());
  blobs.add(2, {{2, "two"}});
  EXPECT_EQ(*blobs.take_complete(), (NodeBlobs{{2, "two"}}));
  EXPECT_FALSE(blobs.take_complete());
  blobs.add(3, {});
  EXPECT_TRUE(blobs.take_complete()->empty());
}

}  // namespace
}  // namespace atrium
