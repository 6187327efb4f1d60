// What the tests of the chooser share: a clock that they set, what other ranks said, and the rules.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "choice/chooser.hpp"

namespace atrium::mpi {

inline std::int64_t time_ns, clock_reads;

inline std::int64_t read_clock() {
  ++clock_reads;
  return time_ns;
}

inline CallHeader heard(CallVerdict verdict, std::uint64_t need, std::uint64_t widest) {
  return {verdict, need, widest};
}

inline constexpr ChoiceRule measured{}, always{true, 0}, up_to_a_kibibyte{false, 1024};

}  // namespace atrium::mpi
