// What communicators of one shape have learned, so that the next one need not begin anew.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>

#include "choice/call_kind.hpp"
#include "choice/choice.hpp"

namespace atrium::mpi {

// Which way was found to be the cheaper one for some calls.
struct Findings {
  bool mpi = false, own = false;

  bool are_of_one_opinion() const { return mpi != own; }
  Way opinion() const { return own ? Way::own : Way::mpi; }
};

// A bit for each size class: the ways that were found to be the cheaper ones. Words, so that ranks can put theirs together
// by a bitwise or.
struct Experience {
  std::array<std::uint64_t, call_kinds> mpi{}, own{};

  void note(int kind, int size_class, Way way);
  void note(const Experience& later);  // who has learned later knows better
  // Of the class, or, where nothing is known of it, of its neighbours.
  Findings findings(int kind, int size_class) const;
};
static_assert(sizeof(Experience) == 2 * call_kinds * sizeof(std::uint64_t),
              "nothing but words to put together");
static_assert(size_classes <= 64, "a bit for each");

}  // namespace atrium::mpi
