// Compares each sample of the waits with the first one, which is kept until some PE has gone on.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/report/standstill.hpp"

#include <algorithm>

#include "os/clock.hpp"

namespace atrium {
namespace {

// When so many tests have been counted since a sample, at least one of them began after it: two others may have begun before.
constexpr uint64_t enough_tests = 3;

bool is_same(const PublishedWait& before, const PublishedWait& now) {
  return before.since_ns == now.since_ns && before.changes == now.changes && before.polls == now.polls;
}

bool has_tested_since(const PublishedWait& before, const PublishedWait& now) {
  return now.looks - before.looks >= enough_tests;
}

std::optional<PublishedWait> wait_of(const JobSegment& segment, int pe) {
  if (segment.state(pe) != PeState::running) return std::nullopt;
  const auto wait = segment.wait(pe);
  if (wait) return wait->stands ? wait : std::nullopt;
  return segment.polling(pe);
}

bool is_alike(const WaitsOfPes& before, const WaitsOfPes& now,
              bool (*alike)(const PublishedWait&, const PublishedWait&)) {
  return std::equal(before.begin(), before.end(), now.begin(), now.end(), [&](const auto& a, const auto& b) {
    return a.first == b.first && alike(a.second, b.second);
  });
}

// A sample is taken every half second, and a loop that goes on is counted four times in a second.
bool goes_on(const PublishedWait& before, const PublishedWait& now) {
  return !now.polls || now.looks != before.looks;
}

}  // namespace

void WaitSample::add(const WaitSample& other) {
  all_wait = all_wait && other.all_wait;
  begun += other.begun;
  ended += other.ended;
  waits.insert(other.waits.begin(), other.waits.end());
}

// A PE that has not called shmem_init, or has left shmem_finalize, may do anything until it ends.
WaitSample sample_waits(const JobSegment& segment, const Pes& pes) {
  WaitSample sample;
  for (int pe = 0; pe < pes.count(); ++pe) {
    if (!segment.is_here(pe)) continue;
    const auto [begun, ended] = segment.traffic(pe);
    sample.begun += begun;  // what one PE has begun another ends: only the sums over all of them can be equal
    sample.ended += ended;
    if (!pes.is_running(pe)) continue;
    auto wait = wait_of(segment, pe);
    if (!wait) return {false, 0, 0, {}};
    wait->waited_ns = now_ns() - wait->since_ns;
    sample.waits.emplace(pe, *wait);
  }
  return sample;
}

// Counts only grow: equal sums are equal counts.
bool StandstillJudge::is_new(const WaitSample& now) const {
  return !now.all_wait || now.waits.empty() || now.begun != now.ended || now.begun != first_.begun ||
         now.ended != first_.ended || !is_alike(first_.waits, now.waits, is_same) ||
         !is_alike(before_, now.waits, goes_on);
}

bool StandstillJudge::is_judged(const WaitsOfPes& now, bool polls) {
  uint64_t shortest_ns = UINT64_MAX;
  for (const auto& [pe, wait] : now) shortest_ns = std::min(shortest_ns, wait.waited_ns);
  if (shortest_ns < (polls ? 2 : 1) * patience_ns_) return false;
  bool& said = polls ? hinted_ : judged_;
  if (said || !is_alike(*still_, now, has_tested_since)) return false;
  return said = true;
}

std::optional<Judgement> StandstillJudge::judge(const WaitSample& now) {
  if (is_new(now)) {
    first_ = now.all_wait ? now : WaitSample{};
    before_ = first_.waits;
    still_.reset();
    return std::nullopt;
  }
  before_ = now.waits;
  if (!still_) {
    still_ = now.waits;
    return std::nullopt;
  }
  const bool polls =
      std::any_of(now.waits.begin(), now.waits.end(), [](const auto& wait) { return wait.second.polls; });
  if (!is_judged(now.waits, polls)) return std::nullopt;
  return Judgement{!polls, now.waits};
}

void StandstillJudge::withdraw(const Judgement& judgement) {
  (judgement.is_deadlock ? judged_ : hinted_) = false;
  first_ = {};
  still_.reset();
}

}  // namespace atrium
