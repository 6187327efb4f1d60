// Compares trials of both ways of an exchange, and decides which one later calls take.
// SPDX-License-Identifier: BSD-3-Clause
#include "choice/choice.hpp"

#include <cmath>
#include <limits>

namespace atrium::mpi {
namespace {

// The first warms up and is not counted. Two are, since ranks that share a processor run ahead in every other call.
constexpr int calls_per_burst = 3;
// What a change of way has to gain, and up to where two costs count as equal: then calls go the preferred way.
constexpr double least_gain = 1.05, tie = 1.02;
// So many pairs one after the other that say the opposite are not noise: things have changed.
constexpr int contradictions_that_count = 6;
// A look costs what its other burst costs more, and about as much as two calls for the changes of way and the agreement;
// it may cost so much of the calls that are held before the next one.
constexpr double overhead_calls = 2, share_of_looks = 0.015;
constexpr double fewest_held = 128, most_held = 1 << 20;
// But a verdict of n pairs is held for at most so many times n squared: what few pairs say is soon tried again.
constexpr double held_by_pairs = 64;
// Where pairs do not show which way is faster, and after an inheritance that has not been tried here.
constexpr std::int64_t held_in_doubt = 16, held_untried = 64;

constexpr std::int64_t forever = std::numeric_limits<std::int64_t>::max();

Way other(Way way) { return way == Way::own ? Way::mpi : Way::own; }
double cost(const Pair& pair, Way way) { return pair.of[static_cast<int>(way)]; }

// Which of so many bursts, from the cheapest on, says what a way costs: from six on, one or a sixth may have been lucky.
int low(int count) { return count / 6; }

double low_quantile(const Pair* pairs, int count, int way) {
  std::array<double, pairs_kept> costs{};
  for (int each = 0; each < count; ++each) costs[each] = pairs[each].of[way];
  std::nth_element(costs.begin(), costs.begin() + low(count), costs.begin() + count);
  return costs[low(count)];
}

// How likely a burst is disturbed by `ratio`, by the bursts of both ways (Laplace's rule of succession).
double chance_of_disturbance(const Pair* pairs, int count, const Pair& undisturbed, double ratio) {
  int disturbed = 0;
  for (int each = 0; each < count; ++each)
    for (int way = 0; way < 2; ++way) disturbed += pairs[each].of[way] >= ratio * undisturbed.of[way];
  return (disturbed + 1.0) / (2.0 * count + 2.0);
}

// That at most `few` of `count` events do not happen, each of which happens with this chance.
double chance_of_nearly_all(int count, int few, double chance) {
  double sum = 0, ways = 1;
  for (int missing = 0; missing <= few; ++missing) {
    sum += ways * std::pow(1 - chance, missing) * std::pow(chance, count - missing);
    ways = ways * (count - missing) / (missing + 1);
  }
  return sum;
}

// Pairs after which the ranks compare while they learn.
int next_comparison(int pairs) { return pairs < 3 ? 3 : pairs < 4 ? 4 : pairs < 8 ? pairs + 2 : pairs + 4; }

}  // namespace

Comparison compare(const Pair* pairs, int count) {
  Comparison comparison;
  for (int way = 0; way < 2; ++way) comparison.cost.of[way] = low_quantile(pairs, count, way);
  const double ratio = comparison.ratio();
  if (ratio > 1)
    comparison.chance =
        chance_of_nearly_all(count, low(count), chance_of_disturbance(pairs, count, comparison.cost, ratio));
  return comparison;
}

Way Choice::way_of_burst() const { return std::popcount(bursts_) % 2 == 0 ? first_ : other(first_); }

int Choice::bursts_wanted() const { return settled_ ? 2 : 2 * (next_comparison(pair_count_) - pair_count_); }

void Choice::count(double nanoseconds) {
  if (call_++ > 0) sum_ += nanoseconds;
  if (call_ < calls_per_burst) return;
  fresh_.cost[fresh_.count++] = std::max(1.0, sum_ / (calls_per_burst - 1));
  ++bursts_;
  call_ = 0;
  sum_ = 0;
}

void Choice::push(const Pair& pair) {
  if (pair_count_ == pairs_kept)
    std::copy(pairs_.begin() + 1, pairs_.end(), pairs_.begin());
  else
    ++pair_count_;
  pairs_[pair_count_ - 1] = pair;
  contradictions_ = contradicts(pair) ? contradictions_ + 1 : 0;
}

bool Choice::contradicts(const Pair& pair) const {
  return settled_ && cost(pair, chosen_) > least_gain * cost(pair, other(chosen_));
}

// Of two bursts that follow each other one goes each way; `fresh_` begins with a pair's first.
void Choice::decide(const Bursts& agreed) {
  const unsigned first = bursts_ - static_cast<unsigned>(fresh_.count);
  for (int burst = 0; burst + 1 < agreed.count; burst += 2) {
    const bool in_order = std::popcount(first + static_cast<unsigned>(burst)) % 2 == 0;
    const int way = static_cast<int>(in_order ? first_ : other(first_));
    Pair pair;
    pair.of[way] = agreed.cost[burst];
    pair.of[1 - way] = agreed.cost[burst + 1];
    push(pair);
  }
  fresh_ = {};
  compared_ = compare(pairs_.data(), pair_count_);
  if (settled_) return look_again();
  if (compared_.is_clear() || pair_count_ >= pairs_learned)
    settle(compared_.ratio() >= tie ? compared_.cheaper() : preferred_);
}

void Choice::settle(Way way) {
  settled_ = true;
  chosen_ = way;
  contradictions_ = 0;
  hold();
}

void Choice::look_again() {
  if (contradictions_ >= contradictions_that_count) {
    const int kept = std::min(contradictions_, pair_count_);
    std::copy(pairs_.begin() + pair_count_ - kept, pairs_.begin() + pair_count_, pairs_.begin());
    pair_count_ = kept;
    compared_ = compare(pairs_.data(), pair_count_);
  }
  const bool changes =
      compared_.is_clear() && compared_.cheaper() != chosen_ && compared_.ratio() >= least_gain;
  if (changes) return settle(other(chosen_));
  hold();
}

void Choice::hold() {
  if (contradictions_ > 0) return;  // the next pair follows at once
  if (!compared_.is_clear() && compared_.ratio() >= least_gain) return void(held_ = held_in_doubt);
  const double dearer = std::max(0.0, agreed(other(chosen_)) / agreed(chosen_) - 1);
  const double cost = calls_per_burst * dearer + overhead_calls;
  const double most = std::min(most_held, held_by_pairs * pair_count_ * pair_count_);
  held_ = static_cast<std::int64_t>(std::min(std::max(cost / share_of_looks, fewest_held), most));
}

void Choice::give_up() {
  chosen_ = Way::mpi;
  settled_ = true;
  held_ = forever;
}

void Choice::inherit(Way way) {
  if (settled_) return;
  const bool leans_otherwise =
      pair_count_ > 0 && compared_.cheaper() != way && compared_.ratio() >= least_gain;
  if (leans_otherwise) return;
  settled_ = true;
  chosen_ = way;
  held_ = held_untried;
  bursts_ = call_ = 0;
  sum_ = 0;
  fresh_ = {};
}

}  // namespace atrium::mpi
