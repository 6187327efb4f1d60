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
// A way that costs so much more needs no second look; who is ahead by less has to be so twice.
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
  measured_ = {};
}

void Choice::took(double nanoseconds) {
  if (held_ > 0) {
    if (held_ != forever && --held_ == 0) begin_trial(other(chosen_), 2);
    return;
  }
  if (call_++ > 0) sum_ += nanoseconds;
  if (call_ < calls_per_burst) return;
  const int way = static_cast<int>(way_of_burst());
  const double mean = std::max(1.0, sum_ / (calls_per_burst - 1));
  double &best = measured_.best[way], &worst = measured_.worst[way];
  best = best > 0 ? std::min(best, mean) : mean;
  worst = std::max(worst, mean);
  ++burst_;
  call_ = 0;
  sum_ = 0;
}

void Choice::hold(double winner_ns, double loser_ns) {
  held_ = static_cast<std::int64_t>(
      std::clamp(patience_factor * calls_per_burst * (loser_ns / winner_ns - 1), fewest_held, most_held));
}

// By its best and by its worst burst: noise rarely favours the same way twice.
bool Choice::is_ahead(Way challenger) const {
  const int theirs = static_cast<int>(challenger), mine = 1 - theirs;
  return agreed_.best[theirs] < reason * agreed_.best[mine] &&
         agreed_.worst[theirs] < reason * agreed_.worst[mine];
}

void Choice::decide(const Times& agreed) {
  agreed_ = agreed;
  const double cheaper = std::min(agreed.best[0], agreed.best[1]),
               dearer = std::max(agreed.best[0], agreed.best[1]);
  const bool challenged = is_ahead(other(chosen_));
  const bool is_clear = dearer >= clear_ratio * cheaper;
  if (bursts_ == 2 && !is_clear && (challenged || !decided_)) return void(bursts_ = 4);
  if (challenged) chosen_ = other(chosen_);
  decided_ = true;
  hold(cheaper, dearer);
}

void Choice::give_up() {
  chosen_ = Way::mpi;
  held_ = forever;
}

}  // namespace atrium::mpi
