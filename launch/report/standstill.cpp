// The first look is kept until somebody has moved.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/report/standstill.hpp"

#include <algorithm>

#include "os/clock.hpp"

namespace atrium {
namespace {

// A look that is counted may have begun before one more was counted that began before ours.
constexpr uint64_t enough_looks = 3;

bool is_same(const ToldWait& before, const ToldWait& now) {
  return before.since_ns == now.since_ns && before.changes == now.changes && before.polls == now.polls &&
         before.begun == now.begun && before.ended == now.ended;
}

bool has_looked_since(const ToldWait& before, const ToldWait& now) {
  return now.looks - before.looks >= enough_looks;
}

std::optional<ToldWait> wait_of(const JobSegment& segment, int pe) {
  if (segment.state(pe) != PeState::running) return std::nullopt;
  const auto wait = segment.wait(pe);
  if (wait) return wait->stands ? wait : std::nullopt;
  return segment.polling(pe);
}

// Nothing, unless each PE waits or polls, and nothing is under way between nodes. A PE that has not called shmem_init, or has
// left shmem_finalize, may do anything until it ends; so may one on another host.
WaitsOfPes waits_of_all(const JobSegment& segment, const Pes& pes) {
  WaitsOfPes waits;
  uint64_t under_way = 0;
  for (int pe = 0; pe < pes.count(); ++pe) {
    if (!segment.is_here(pe)) return {};
    const auto [begun, ended] = segment.traffic(pe);
    under_way += begun - ended;  // what one PE has begun another ends: only the sum means anything
    if (!pes.is_running(pe)) continue;
    auto wait = wait_of(segment, pe);
    if (!wait) return {};
    wait->begun = begun;
    wait->ended = ended;
    waits.emplace(pe, *wait);
  }
  return under_way == 0 ? waits : WaitsOfPes{};
}

bool is_alike(const WaitsOfPes& before, const WaitsOfPes& now,
              bool (*alike)(const ToldWait&, const ToldWait&)) {
  return std::equal(before.begin(), before.end(), now.begin(), now.end(), [&](const auto& a, const auto& b) {
    return a.first == b.first && alike(a.second, b.second);
  });
}

// Looks come every half second, and a loop that goes on is counted four times in a second.
bool goes_on(const ToldWait& before, const ToldWait& now) { return !now.polls || now.looks != before.looks; }

}  // namespace

bool Standstill::is_new(const WaitsOfPes& now) const {
  return now.empty() || !is_alike(first_, now, is_same) || !is_alike(before_, now, goes_on);
}

bool Standstill::is_judged(const WaitsOfPes& now, bool polls) {
  uint64_t last_began = 0;
  for (const auto& [pe, wait] : now) last_began = std::max(last_began, wait.since_ns);
  if (now_ns() - last_began < (polls ? 2 : 1) * patience_ns_) return false;
  bool& said = polls ? hinted_ : judged_;
  if (said || !is_alike(first_, now, has_looked_since)) return false;
  return said = true;
}

std::optional<Judgement> Standstill::look(const JobSegment& segment, const Pes& pes) {
  if (patience_ns_ == 0 || judged_) return std::nullopt;
  return judge(waits_of_all(segment, pes));
}

std::optional<Judgement> Standstill::judge(const WaitsOfPes& now) {
  if (is_new(now)) {
    first_ = before_ = now;
    return std::nullopt;
  }
  before_ = now;
  const bool polls = std::any_of(now.begin(), now.end(), [](const auto& wait) { return wait.second.polls; });
  if (!is_judged(now, polls)) return std::nullopt;
  return Judgement{!polls, now};
}

}  // namespace atrium
