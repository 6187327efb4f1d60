// Trials and decisions.
// SPDX-License-Identifier: BSD-3-Clause
#include "choice/choice.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace atrium::mpi {
namespace {

constexpr int calls_per_burst = 4;  // the first warms up and is not counted
// After a trial the winner is held for so many times the cost of what the trial lost: 3 % at most.
constexpr double trials_worth_held = 32;
constexpr double fewest_held = 512, most_held = 1 << 20;
// Who changes wants a reason: ties go to the MPI at first, and to what is in use later.
constexpr double reason = 0.95;

constexpr std::int64_t forever = std::numeric_limits<std::int64_t>::max();

Way other(Way way) { return way == Way::own ? Way::mpi : Way::own; }

// How much dearer one way must be before so many bursts tell which. Where ranks share processors a burst's
// mean scatters by a fifth, so the medians of n bursts each differ by chance by that times sqrt(3 / n); this
// is about twice as much.
double clear_ratio(int bursts) { return bursts <= 4 ? 1.5 : bursts == 8 ? 1.35 : 1.25; }

}  // namespace

// One way and the other in the order ABBA BAAB ..., which treats both alike whatever drifts or swings
// meanwhile.
Way Choice::way_of_burst() const {
  return std::popcount(static_cast<unsigned>(burst_)) % 2 == 0 ? first_ : other(first_);
}

void Choice::begin_trial() {
  first_ = other(chosen_);
  bursts_ = 2;
  burst_ = 0;
}

// The last call that is held, or one of a trial.
void Choice::count(double nanoseconds) {
  if (held_ > 0) {
    held_ = 0;
    return begin_trial();
  }
  if (call_++ > 0) sum_ += nanoseconds;
  if (call_ < calls_per_burst) return;
  // Of two bursts that follow each other one goes each way.
  means_[static_cast<int>(way_of_burst())][burst_ / 2] = std::max(1.0, sum_ / (calls_per_burst - 1));
  ++burst_;
  call_ = 0;
  sum_ = 0;
}

// The lower one where two are in the middle: what disturbs a burst makes it dearer.
Times Choice::measured() const {
  Times times;
  for (int way = 0; way < 2; ++way) {
    auto means = means_[way];
    const auto middle = means.begin() + (burst_ / 2 - 1) / 2;
    std::nth_element(means.begin(), middle, means.begin() + burst_ / 2);
    times.of[way] = *middle;
  }
  return times;
}

// `ratio`: what the other way costs beside the one in use.
bool Choice::is_told_apart(double ratio) const {
  if (bursts_ == most_bursts) return true;
  const double clear = clear_ratio(bursts_);
  if (bursts_ == 2) return decided_ ? ratio >= reason : ratio >= clear;  // changing takes more than two
  return ratio >= clear || ratio * clear <= 1;
}

void Choice::hold(double ratio) {
  const double lost = trials_worth_held * calls_per_burst * (bursts_ / 2) * (std::max(ratio, 1 / ratio) - 1);
  held_ = static_cast<std::int64_t>(std::clamp(lost, fewest_held, most_held));
}

void Choice::decide(const Times& agreed) {
  agreed_ = agreed;
  const double ratio = this->agreed(other(chosen_)) / this->agreed(chosen_);
  if (!is_told_apart(ratio)) return void(bursts_ *= 2);
  if (ratio < reason) chosen_ = other(chosen_);
  decided_ = true;
  hold(ratio);
}

void Choice::give_up() {
  chosen_ = Way::mpi;
  held_ = forever;
}

}  // namespace atrium::mpi
