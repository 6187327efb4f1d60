// Which way a call goes, by what earlier calls have cost.
// SPDX-License-Identifier: BSD-3-Clause
//
// A *trial* is a row of bursts: a few calls one way, a few calls the other way. When it is complete the ranks
// agree on what each way cost, and the cheaper way is held for as many calls as make the trial cost little;
// then a short trial looks again. Invariant: everything here is a function of the number of calls and of
// agreed times, so that all ranks of a communicator always go the same way.
#pragma once

#include <cstddef>
#include <cstdint>

namespace atrium::mpi {

enum class Way { mpi = 0, own = 1 };

// Mean nanoseconds of a call in the best and in the worst burst, by way.
struct Times {
  double best[2] = {0, 0}, worst[2] = {0, 0};
};

class Choice {
 public:
  Way next() const;
  bool in_trial() const { return held_ == 0; }
  // A call went the way that next() said.
  void took(double nanoseconds);
  // The trial is complete on this rank; decide() follows with the largest times of all ranks.
  bool is_complete() const { return in_trial() && burst_ == bursts_; }
  Times measured() const { return measured_; }
  void decide(const Times& agreed);
  // The buffers cannot be had: the MPI's routine from now on.
  void give_up();

  Way chosen() const { return chosen_; }
  bool is_decided() const { return decided_; }
  double agreed(Way way) const { return agreed_.best[static_cast<int>(way)]; }

 private:
  void begin_trial(Way first, int bursts);
  Way way_of_burst() const;
  bool is_ahead(Way challenger) const;
  void hold(double winner_ns, double loser_ns);

  Way chosen_ = Way::mpi;
  Way first_ = Way::mpi;
  int bursts_ = 2, burst_ = 0, call_ = 0;
  bool decided_ = false;
  std::int64_t held_ = 0;  // calls that go the chosen way before the next trial
  double sum_ = 0;
  Times measured_, agreed_;  // of this trial on this rank, of the last complete one on the slowest
};

// Sizes are told apart by powers of two; class k has more than 2^(k-1) and at most 2^k bytes.
inline constexpr int size_classes = 48;
int size_class(std::size_t bytes);

}  // namespace atrium::mpi
