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
constexpr double patience_factor = 32;
constexpr double fewest_held = 512, most_held = 1 << 20;
// A way that costs so much more needs no second look.
constexpr double clear_ratio = 1.5;
// Who changes wants a reason: ties go to the MPI at first, and to what is in use later.
constexpr double reason = 0.95;

constexpr std::int64_t forever = std::numeric_limits<std::int64_t>::max();

Way other(Way way) { return way == Way::own ? Way::mpi : Way::own; }

}  // namespace

int size_class(std::size_t bytes) {
  return bytes < 2 ? 0 : std::min(size_classes - 1, static_cast<int>(std::bit_width(bytes - 1)));
}

Way Choice::way_of_burst() const { return burst_ % 2 == 0 ? first_ : other(first_); }

Way Choice::next() const { return held_ > 0 ? chosen_ : way_of_burst(); }

void Choice::begin_trial(Way first, int bursts) {
  first_ = first;
  bursts_ = bursts;
  burst_ = call_ = 0;
  sum_ = 0;
  best_[0] = best_[1] = 0;
}

void Choice::took(double nanoseconds) {
  if (held_ > 0) {
    if (held_ != forever && --held_ == 0) begin_trial(other(chosen_), 2);
    return;
  }
  if (call_++ > 0) sum_ += nanoseconds;
  if (call_ < calls_per_burst) return;
  double& best = best_[static_cast<int>(way_of_burst())];
  const double mean = std::max(1.0, sum_ / (calls_per_burst - 1));
  best = best > 0 ? std::min(best, mean) : mean;
  ++burst_;
  call_ = 0;
  sum_ = 0;
}

void Choice::hold(double winner_ns, double loser_ns) {
  held_ = static_cast<std::int64_t>(
      std::clamp(patience_factor * calls_per_burst * (loser_ns / winner_ns - 1), fewest_held, most_held));
}

void Choice::decide(double mpi_ns, double own_ns) {
  agreed_[0] = mpi_ns;
  agreed_[1] = own_ns;
  const double cheaper = std::min(mpi_ns, own_ns), dearer = std::max(mpi_ns, own_ns);
  if (!decided_ && bursts_ == 2 && dearer < clear_ratio * cheaper) return void(bursts_ = 4);
  const double mine = agreed(chosen_), others = agreed(other(chosen_));
  if (others < mine * reason) chosen_ = other(chosen_);
  decided_ = true;
  hold(cheaper, dearer);
}

void Choice::give_up() {
  chosen_ = Way::mpi;
  held_ = forever;
}

}  // namespace atrium::mpi
