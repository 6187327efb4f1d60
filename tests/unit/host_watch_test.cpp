// What one end alone can tell of the host of a peer that is silent (network/host_watch.hpp).
// SPDX-License-Identifier: BSD-3-Clause
#include "network/host_watch.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace atrium {
namespace {

constexpr uint64_t tenth = 100'000'000;

// A host whose kernel answers after some time, or never; nothing else of an engine.
class FarHost final : public Engine {
 public:
  explicit FarHost(uint64_t trip) : trip_ns(trip) {}

  std::unique_ptr<Probe> probe(Peer) override {
    ++probes;
    return std::make_unique<Answering>(*this, now + trip_ns);
  }

  const EngineTraits& traits() const override { return traits_; }
  Result<std::string> name() override { return std::string(); }
  Result<Peer> insert(std::string_view) override { return Peer{0}; }
  Result<RegionKey> register_region(void*, size_t, uint64_t) override { return RegionKey{}; }
  Post send(Peer, const void*, size_t, void*) override { return Post::later; }
  Post post_receive(void*, size_t, void*) override { return Post::later; }
  Post write(Peer, const RegionKey&, uint64_t, const void*, size_t, void*) override { return Post::later; }
  Post read(Peer, const RegionKey&, uint64_t, void*, size_t, void*) override { return Post::later; }
  int poll(EngineEvent*, int) override { return 0; }
  int wait_fd() const override { return -1; }
  bool may_sleep() override { return false; }
  const Error& last_error() const override { return error_; }

  uint64_t trip_ns;
  uint64_t now = 0;
  Probe::Answer later = Probe::Answer::reachable;  // what becomes of those that it has answered
  int probes = 0;

 private:
  class Answering final : public Probe {
   public:
    Answering(const FarHost& host, uint64_t at) : host_(host), at_(at) {}
    Answer look() override {
      if (host_.now < at_) return Answer::none_yet;
      return std::exchange(has_answered_, true) ? host_.later : Answer::reachable;
    }

   private:
    const FarHost& host_;
    uint64_t at_;
    bool has_answered_ = false;
  };

  EngineTraits traits_;
  Error error_;
};

// For how many tenths of a second the peer is silent before its host counts as cut off; -1: it never does.
int tenths_until_cut(HostWatch& watch, FarHost& host, int tenths,
                     HostWatch::Asks asks = HostWatch::Asks::once) {
  for (int i = 0; i < tenths; ++i) {
    host.now += tenth;
    if (watch.is_cut_off(host, 0, static_cast<uint64_t>(i) * tenth, host.now, asks)) return i;
  }
  return -1;
}

TEST(HostWatch, a_host_at_the_end_of_a_long_way_is_not_cut_off) {
  for (const uint64_t seconds : {0, 1, 3, 4}) {
    FarHost host(seconds * 10 * tenth);
    HostWatch watch;
    EXPECT_EQ(tenths_until_cut(watch, host, 1000), -1) << seconds;
    EXPECT_TRUE(watch.has_answered());
    EXPECT_EQ(watch.round_trip_ns() / (10 * tenth), seconds);
    EXPECT_EQ(host.probes, 1) << "a stopped process has a short queue";
  }
}

// The PE was stopped, say, when its network was cut.
TEST(HostWatch, a_host_that_has_answered_is_cut_off_later_in_the_same_silence) {
  FarHost host(0);
  HostWatch watch;
  EXPECT_EQ(tenths_until_cut(watch, host, 1000, HostWatch::Asks::standing), -1);
  EXPECT_TRUE(watch.is_standing());
  EXPECT_EQ(host.probes, 1);
  host.later = Probe::Answer::unreachable;
  EXPECT_EQ(tenths_until_cut(watch, host, 1000, HostWatch::Asks::standing), -1) << "it is there again";
  host.trip_ns = UINT64_MAX / 2;
  const int tenths = tenths_until_cut(watch, host, 1000, HostWatch::Asks::standing);
  EXPECT_GE(tenths, 45);
  EXPECT_LT(tenths, 70);
}

TEST(HostWatch, a_host_that_ends_the_question_is_asked_again_now_and_then) {
  FarHost host(0);
  host.later = Probe::Answer::over;
  HostWatch watch;
  EXPECT_EQ(tenths_until_cut(watch, host, 1000, HostWatch::Asks::standing), -1);
  EXPECT_GT(host.probes, 10);
  EXPECT_LT(host.probes, 21);
  host.trip_ns = UINT64_MAX / 2;
  EXPECT_NE(tenths_until_cut(watch, host, 200, HostWatch::Asks::standing), -1);
}

TEST(HostWatch, what_it_has_learned_of_the_way_outlives_the_silence) {
  FarHost host(30 * tenth);
  HostWatch watch;
  tenths_until_cut(watch, host, 100);
  watch.forget();
  EXPECT_FALSE(watch.has_answered());
  EXPECT_EQ(watch.round_trip_ns(), 30 * tenth);
}

// Large data on a long way are silent for many round trips.
TEST(HostWatch, a_host_that_is_asked_again_is_there_as_long_as_it_answers) {
  FarHost host(30 * tenth);
  HostWatch watch;
  EXPECT_EQ(tenths_until_cut(watch, host, 100, HostWatch::Asks::again), -1);
  for (int i = 0; i < 500; ++i) {
    host.now += tenth;
    watch.is_cut_off(host, 0, 100 * tenth, host.now, HostWatch::Asks::again);
    ASSERT_TRUE(watch.is_there(host.now)) << i;
  }
  EXPECT_GE(host.probes, 5);
}

TEST(HostWatch, a_host_that_has_answered_and_does_so_no_more_is_not_there) {
  FarHost host(30 * tenth);
  HostWatch watch;
  tenths_until_cut(watch, host, 100, HostWatch::Asks::again);
  host.trip_ns = UINT64_MAX / 2;
  EXPECT_NE(tenths_until_cut(watch, host, 200, HostWatch::Asks::again), -1);
  EXPECT_FALSE(watch.is_there(host.now + 100 * tenth));
}

TEST(HostWatch, a_host_that_never_answers_is_cut_off_in_less_than_ten_seconds) {
  FarHost host(UINT64_MAX / 2);
  HostWatch watch;
  const int tenths = tenths_until_cut(watch, host, 1000);
  EXPECT_GE(tenths, 60);
  EXPECT_LT(tenths, 100);
  EXPECT_FALSE(watch.has_answered());
}

}  // namespace
}  // namespace atrium
