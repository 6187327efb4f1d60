// Which way a call goes, by what earlier calls have cost.
// SPDX-License-Identifier: BSD-3-Clause
//
// A *trial* is a row of bursts: a few calls one way, a few calls the other way. After 2, 4, 8, ... bursts the
// ranks agree on what each way costs; the closer the two are, the more bursts it takes to tell them apart.
// The cheaper way is then held for as many calls as make the trial cost little, and a short trial looks
// again. Invariant: everything here is a function of the number of calls and of agreed times, so that all
// ranks of a communicator always go the same way.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace atrium::mpi {

enum class Way { mpi = 0, own = 1 };

// Nanoseconds of a call, by way.
struct Times {
  double of[2] = {0, 0};
};

class Choice {
 public:
  Way next() const { return held_ > 0 ? chosen_ : way_of_burst(); }
  bool in_trial() const { return held_ == 0; }
  // A call went the way that next() said.
  void took(double nanoseconds) {
    if (held_ > 1)
      --held_;
    else
      count(nanoseconds);
  }
  // So many bursts are over that the ranks compare: decide() follows with the largest times of all ranks.
  bool is_complete() const { return in_trial() && burst_ == bursts_; }
  Times measured() const;  // medians of this rank's bursts
  void decide(const Times& agreed);
  // The buffers cannot be had: the MPI's routine from now on.
  void give_up();

  Way chosen() const { return chosen_; }
  bool is_decided() const { return decided_; }
  double agreed(Way way) const { return agreed_.of[static_cast<int>(way)]; }

 private:
  static constexpr int most_bursts = 32;
  void count(double nanoseconds);
  void begin_trial();
  Way way_of_burst() const;
  bool is_told_apart(double ratio) const;
  void hold(double ratio);

  Way chosen_ = Way::mpi;
  bool decided_ = false;
  std::int64_t held_ = 0;  // calls that go the chosen way before the next trial
  Way first_ = Way::mpi;   // of this trial
  int bursts_ = 2, burst_ = 0, call_ = 0;
  double sum_ = 0;
  std::array<std::array<double, most_bursts / 2>, 2> means_{};  // of this trial's bursts, by way
  Times agreed_;  // of the last complete trial, on the slowest rank
};

// Sizes are told apart by powers of two; class k has more than 2^(k-1) and at most 2^k bytes.
inline constexpr int size_classes = 48;
constexpr int size_class(std::size_t bytes) {
  return bytes < 2 ? 0 : std::min(size_classes - 1, static_cast<int>(std::bit_width(bytes - 1)));
}

}  // namespace atrium::mpi
