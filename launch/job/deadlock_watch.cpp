// Samples the waits on all hosts every half second, and judges the samples.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/job/deadlock_watch.hpp"

#include <utility>

#include "launch/report/deadlock.hpp"

namespace atrium {
namespace {

using namespace std::chrono_literals;

constexpr auto look_every = 500ms;

}  // namespace

DeadlockWatch::DeadlockWatch(Loop& loop, uint64_t patience_s, Report report)
    : loop_(loop),
      patience_s_(patience_s),
      report_(std::move(report)),
      standstill_(patience_s),
      places_([this](const std::vector<PlacedWait>& placed) { end_judgement(placed); }) {}

void DeadlockWatch::start(const std::vector<Host*>& hosts) {
  hosts_ = hosts;
  round_.set_hosts(hosts);
  if (patience_s_ > 0) rest();
}

void DeadlockWatch::rest() {
  loop_.after(look_every, [this] { begin_round(); });
}

void DeadlockWatch::begin_round() {
  if (!stopped_) round_.begin();
}

void DeadlockWatch::on_waits(Host& host, const WaitSample& sample) {
  if (judgement_ || stopped_) return;
  if (const auto whole = round_.add(host, sample)) end_round(*whole);
}

void DeadlockWatch::end_round(const WaitSample& whole) {
  judgement_ = standstill_.judge(whole);
  if (!judgement_) return rest();
  places_.ask(hosts_, [](Host& host) { host.find_places(); });
}

void DeadlockWatch::on_places(Host& host, std::vector<PlacedWait> placed) {
  if (judgement_ && !stopped_) places_.add(host, std::move(placed));
}

// A loop of tests may have ended while its place was looked up.
void DeadlockWatch::end_judgement(const std::vector<PlacedWait>& placed) {
  Judgement judgement = *std::exchange(judgement_, std::nullopt);
  if (!add_details(judgement, placed)) {
    standstill_.withdraw(judgement);
    return rest();
  }
  report_(judgement, placed);
  if (!judgement.is_deadlock) rest();
}

}  // namespace atrium
