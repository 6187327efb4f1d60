// The stages of a wait whose loop is the caller's: what to do after another look in vain.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "arch/pause.hpp"
#include "wait/policy.hpp"
#include "wait/yields.hpp"

namespace atrium {

class WaitStages {
 public:
  enum class Stage : uint8_t { spin, yield, sleep };

  // `spins`: looks before the first yield. `may_sleep`: once the policy's yields are used up.
  WaitStages(uint32_t spins, bool may_sleep) : spins_(spins), may_sleep_(may_sleep) {}

  // `now()`: nanoseconds; read after the spins only.
  template <class Clock>
  Stage next(Clock now) {
    if (++looks_ <= spins_) return Stage::spin;
    const uint64_t then = now();
    if (yielding_since_ == 0) yielding_since_ = then;
    const bool is_over =
        looks_ - spins_ > yields_now() || then - yielding_since_ > wait_policy().yield_us * uint64_t{1000};
    return is_over && may_sleep_ ? Stage::sleep : Stage::yield;
  }
  bool is_first_yield() const { return looks_ == spins_ + 1; }
  // What such a stage does. Before a sleep, which is the caller's, nothing is given away.
  void rest(Stage stage) {
    if (stage == Stage::spin) return pause();
    stage == Stage::yield ? yields_.yield() : yields_.pause();
  }
  // The sleep was short: yields may do as well.
  void yield_again() { yielding_since_ = 0; }
  // What came was not it, but something has come.
  void reset() { looks_ = 0, yielding_since_ = 0; }

 private:
  const uint32_t spins_;
  const bool may_sleep_;
  uint32_t looks_ = 0;
  uint64_t yielding_since_ = 0;
  Yields yields_;
};

}  // namespace atrium
