// Which message each receive takes, as far as it can be known: against a mailbox that matches as MPI does.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/mpi/receives.hpp"

#include <gtest/gtest.h>

#include <list>
#include <map>
#include <optional>
#include <random>
#include <utility>
#include <vector>

namespace atrium::race {
namespace {

constexpr MessageOrigin any{-1, -1}, zero{0, 5}, one{1, 5};

// By a call that has returned before the next one begins.
PostedReceives::Ticket post(PostedReceives& receives, MessageOrigin from) {
  const PostedReceives::Ticket posted = receives.post(from);
  receives.end_posting(posted);
  return posted;
}

TEST(receives, count_the_messages_of_one_sender_and_tag) {
  PostedReceives receives;
  const auto first = post(receives, zero), of_one = post(receives, one), second = post(receives, zero);
  EXPECT_EQ(receives.number_of(second, zero), 1u);
  EXPECT_EQ(receives.number_of(of_one, one), 0u);
  receives.complete(second, zero);
  EXPECT_EQ(receives.number_of(first, zero), 0u);
  receives.complete(first, zero);
  EXPECT_EQ(receives.next_number(zero), 2u);
}

TEST(receives, behind_an_open_one_are_not_known_until_it_is_complete) {
  PostedReceives receives;
  const auto open = post(receives, any), behind = post(receives, zero);
  EXPECT_EQ(receives.number_of(behind, zero), std::nullopt);
  EXPECT_EQ(receives.number_of(open, zero), 0u);
  receives.complete(open, zero);
  EXPECT_EQ(receives.number_of(behind, zero), 1u);
  EXPECT_EQ(receives.next_number(one), 0u);
}

TEST(receives, that_are_cancelled_take_nothing) {
  PostedReceives receives;
  const auto first = post(receives, zero), second = post(receives, zero);
  receives.may_be_cancelled(first);
  EXPECT_EQ(receives.number_of(second, zero), std::nullopt);
  receives.drop(first);
  EXPECT_EQ(receives.number_of(second, zero), 0u);
}

TEST(receives, settle_when_the_open_ones_before_them_are_complete) {
  PostedReceives receives;
  const auto open = post(receives, {-1, 5}), behind = post(receives, zero), last = post(receives, zero);
  receives.note_unknown(zero);
  receives.complete(behind, zero);
  receives.settle(
      [](MessageOrigin, uint32_t) { ADD_FAILURE() << "nobody knows what the open one has taken"; });
  receives.complete(open, one);
  std::vector<uint32_t> settled;
  receives.settle([&](MessageOrigin from, uint32_t number) {
    EXPECT_EQ(from.word(), zero.word());
    settled.push_back(number);
  });
  receives.settle([](MessageOrigin, uint32_t) { ADD_FAILURE() << "twice"; });
  EXPECT_EQ(settled, std::vector<uint32_t>{1});
  EXPECT_EQ(receives.number_of(last, zero), 1u);
}

TEST(receives, that_began_at_the_same_time_are_not_known_where_either_might_have_got_the_message) {
  PostedReceives receives;
  const auto first = receives.post(zero), second = receives.post({-1, 5}), other = receives.post({0, 6});
  receives.end_posting(first), receives.end_posting(second), receives.end_posting(other);
  EXPECT_TRUE(receives.overlaps(first, zero));
  EXPECT_TRUE(receives.overlaps(second, zero));
  EXPECT_FALSE(receives.overlaps(other, {0, 6}));
  EXPECT_EQ(receives.number_of(first, zero), std::nullopt);
  EXPECT_EQ(receives.number_of(second, zero), std::nullopt);
  EXPECT_EQ(receives.number_of(second, one), 0u);
  EXPECT_EQ(receives.number_of(other, {0, 6}), 0u);
  receives.complete(second, zero);
  EXPECT_EQ(receives.number_of(first, zero), std::nullopt);
  const auto behind = post(receives, zero);
  EXPECT_EQ(receives.number_of(behind, zero), 2u);
  receives.complete(first, zero);
  EXPECT_EQ(receives.number_of(behind, zero), 2u);
}

TEST(receives, settle_when_all_that_began_at_the_same_time_are_complete) {
  PostedReceives receives;
  const auto first = receives.post(zero), second = receives.post(zero);
  receives.note_unknown(zero);
  receives.complete(first, zero);
  receives.settle(
      [](MessageOrigin, uint32_t) { ADD_FAILURE() << "the other one may have an earlier message"; });
  receives.note_unknown(zero);
  receives.complete(second, zero);
  std::vector<uint32_t> settled;
  receives.settle([&](MessageOrigin, uint32_t number) { settled.push_back(number); });
  EXPECT_EQ(settled, std::vector<uint32_t>{2});
}

TEST(receives, are_not_disturbed_by_probes) {
  PostedReceives receives;
  const auto probe = receives.post_probe(any), first = post(receives, zero);
  EXPECT_EQ(receives.number_of(first, zero), 0u);
  EXPECT_EQ(receives.number_of(probe, zero), std::nullopt);
  EXPECT_EQ(receives.number_of(probe, one), 0u);
  receives.drop(probe);
  const auto next = receives.post_probe(any);
  EXPECT_EQ(receives.number_of(next, zero), 1u);
  receives.complete(first, zero);
  EXPECT_EQ(receives.number_of(next, zero), 1u);
}

// Messages that have arrived and receives that were posted, matched as MPI says.
class Matching {
 public:
  void send(MessageOrigin from) {
    const Message message{from, numbers_[from.word()]++};
    for (Posted& each : posted_)
      if (!each.matched && fits(each.pattern, from)) return void(each.matched = message);
    unexpected_.push_back(message);
  }
  void post(MessageOrigin pattern) { match({pattern, race::post(receives_, pattern), false, {}}); }
  // By two threads at once: they come to the matching in either order.
  void post_both(MessageOrigin one, MessageOrigin other, bool in_order) {
    const auto first = receives_.post(one), second = receives_.post(other);
    receives_.end_posting(first), receives_.end_posting(second);
    const bool overlap = one.admits(other);
    if (in_order) match({one, first, overlap, {}});
    match({other, second, overlap, {}});
    if (!in_order) match({one, first, overlap, {}});
  }
  // Some receive that has its message is found complete: what is known of its number must be true.
  void complete_one(std::mt19937& random) {
    std::vector<std::list<Posted>::iterator> matched;
    for (auto each = posted_.begin(); each != posted_.end(); ++each)
      if (each->matched) matched.push_back(each);
    if (matched.empty()) return;
    const auto chosen = matched[random() % matched.size()];
    const auto number = receives_.number_of(chosen->ticket, chosen->matched->from);
    ++(number ? known : unknown);
    if (number) {
      EXPECT_EQ(*number, chosen->matched->number);
    }
    if (chosen == posted_.begin() && !chosen->overlap) {
      EXPECT_TRUE(number.has_value());
    }
    receives_.complete(chosen->ticket, chosen->matched->from);
    posted_.erase(chosen);
  }
  int known = 0, unknown = 0;

 private:
  struct Message {
    MessageOrigin from;
    uint32_t number;
  };
  struct Posted {
    MessageOrigin pattern;
    PostedReceives::Ticket ticket;
    bool overlap;
    std::optional<Message> matched;
  };
  static bool fits(MessageOrigin pattern, MessageOrigin from) {
    return (pattern.source < 0 || pattern.source == from.source) &&
           (pattern.tag < 0 || pattern.tag == from.tag);
  }
  void match(Posted posted) {
    for (auto each = unexpected_.begin(); each != unexpected_.end(); ++each)
      if (fits(posted.pattern, each->from)) {
        posted.matched = *each;
        unexpected_.erase(each);
        break;
      }
    posted_.push_back(posted);
  }
  PostedReceives receives_;
  std::list<Posted> posted_;
  std::list<Message> unexpected_;
  std::map<uint64_t, uint32_t> numbers_;
};

TEST(receives, are_numbered_as_they_are_matched) {
  std::mt19937 random(7);
  Matching matching;
  for (int step = 0; step < 30000; ++step) {
    const auto source = static_cast<int>(random() % 3), tag = static_cast<int>(random() % 2);
    const MessageOrigin pattern{random() % 6 == 0 ? -1 : source, random() % 6 == 0 ? -1 : tag};
    switch (random() % 4) {
      case 0:
        matching.send({source, tag});
        break;
      case 1:
        if (step % 5 != 0)
          matching.post(pattern);
        else
          matching.post_both(pattern, {static_cast<int>(random() % 3), tag}, random() % 2 == 0);
        break;
      default:
        matching.complete_one(random);
    }
  }
  EXPECT_GT(matching.known, 1000);
  EXPECT_GT(matching.unknown, 10);
}

}  // namespace
}  // namespace atrium::race
