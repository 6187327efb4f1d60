// Which way a call goes, by what earlier calls have cost.
// SPDX-License-Identifier: BSD-3-Clause
//
// Words. A *burst* is a few calls one way; its cost is the mean of all but its first, which warms up, on the slowest
// rank. A *pair* is two bursts, one each way, at once behind each other; which one comes first goes as in ABBA BAAB, so
// that drifts and swings meet both ways alike.
//
// While a choice *learns*, pair follows pair, and after 3, 4, 6, 8, 12 and 16 of them the ranks agree on what the bursts
// cost. Noise only adds, so what a way costs is a low quantile of its bursts. The dearer one of two ways looks so
// wrongly only if nearly all of its bursts were disturbed by the ratio of the two; how often a burst is disturbed so
// much is seen in the bursts themselves. Once the chance of that is below `most_chance`, or after 16 pairs, the choice
// is *settled*: the cheaper way is held, and single pairs check it again, so rarely that they cost about two percent.
//
// Invariant: everything here is a function of the number of calls and of agreed costs, so that all ranks of a
// communicator always go the same way.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace atrium::mpi {

enum class Way { mpi = 0, own = 1 };

inline constexpr int pairs_learned = 16;  // at most, 96 calls
inline constexpr int pairs_kept = 24;
inline constexpr int most_bursts_agreed_on = 8;  // at a time
inline constexpr double most_chance = 0.02;      // that a verdict is wrong: confidence 98 %

// What bursts cost that the ranks have not agreed on yet, in their order: nanoseconds of a call.
struct Bursts {
  std::array<double, most_bursts_agreed_on> cost{};
  int count = 0;
};

// What a call costs, by way.
struct Pair {
  double of[2] = {0, 0};
};

// What a number of pairs say: the costs, and the chance that the dearer way is the cheaper one.
struct Comparison {
  Pair cost;
  double chance = 1;

  Way cheaper() const { return cost.of[1] < cost.of[0] ? Way::own : Way::mpi; }
  double ratio() const { return std::max(cost.of[0], cost.of[1]) / std::min(cost.of[0], cost.of[1]); }
  bool is_clear() const { return chance <= most_chance; }
};
Comparison compare(const Pair* pairs, int count);

class Choice {
 public:
  // Where the two cost the same, calls go the preferred way.
  explicit Choice(Way preferred = Way::mpi) : first_(preferred), preferred_(preferred), chosen_(preferred) {}
  // The preferred way is known only now; what is settled stays.
  void prefer(Way way) { preferred_ = way; }

  Way next() const { return held_ > 0 ? chosen_ : way_of_burst(); }
  bool in_trial() const { return held_ == 0; }
  // Calls go this way for a while, whatever they cost.
  bool holds(Way way) const { return held_ > 0 && chosen_ == way; }
  // A call went the way that next() said.
  void took(double nanoseconds) {
    if (held_ > 0)
      --held_;
    else
      count(nanoseconds);
  }
  // So many bursts are over that the ranks compare: decide() follows with the largest costs of all ranks.
  bool is_complete() const { return in_trial() && fresh_.count == bursts_wanted(); }
  const Bursts& measured() const { return fresh_; }
  void decide(const Bursts& agreed);
  // The buffers cannot be had: the MPI's routine from now on.
  void give_up();
  // What others have learned of such calls. Where nothing has been measured here it is taken, until a check says
  // otherwise; while bursts are too few to say, it is taken unless they favour the other way.
  void inherit(Way way);

  Way chosen() const { return chosen_; }
  bool is_settled() const { return settled_; }
  // Settled, by bursts that were measured here.
  bool is_decided() const { return settled_ && compared_.is_clear() && compared_.cheaper() == chosen_; }
  double agreed(Way way) const { return compared_.cost.of[static_cast<int>(way)]; }

 private:
  int bursts_wanted() const;
  void count(double nanoseconds);
  void push(const Pair& pair);
  bool contradicts(const Pair& pair) const;
  Way way_of_burst() const;
  void settle(Way way);
  void look_again();
  void hold();

  Way first_;  // of the bursts
  Way preferred_, chosen_;
  bool settled_ = false;
  std::int64_t held_ = 0;  // calls that go the chosen way before the next burst
  unsigned bursts_ = 0;    // that there have been
  int call_ = 0;           // of this burst
  double sum_ = 0;
  Bursts fresh_;
  std::array<Pair, pairs_kept> pairs_{};  // the last ones, the newest last
  int pair_count_ = 0;
  int contradictions_ = 0;  // of the newest pairs, one after the other
  Comparison compared_;     // of pairs_
};

// Sizes are distinguished by powers of two; class k has more than 2^(k-1) and at most 2^k bytes.
inline constexpr int size_classes = 48;
constexpr int size_class(std::size_t bytes) {
  return bytes < 2 ? 0 : std::min(size_classes - 1, static_cast<int>(std::bit_width(bytes - 1)));
}

}  // namespace atrium::mpi
