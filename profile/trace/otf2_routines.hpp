// How a trace in OTF2 describes each routine: its role, what a collective moves, what completes operations.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <otf2/otf2.h>

#include "interpose/site.hpp"

namespace atrium::profile {

struct Otf2Routine {
  enum class Family { other, put, get, atomic, wait, quiet, collective };
  // What a collective moves, by what a member gives (Event::bytes).
  enum class Flow { nothing, mine, from_root, everybodys };
  // Of the PE's non-blocking operations.
  enum class Completes { nothing, its_context, everything };

  Family family = Family::other;
  OTF2_RegionRole role = OTF2_REGION_ROLE_FUNCTION;
  OTF2_RmaAtomicType atomic = OTF2_RMA_ATOMIC_TYPE_ACCUMULATE;
  bool sends = false, receives = false;  // an atomic operation: an operand, the word's value
  OTF2_CollectiveOp collective = OTF2_COLLECTIVE_OP_BARRIER;
  Flow flow = Flow::nothing;
  Completes completes = Completes::nothing;
  bool non_blocking = false;
  bool on_context = false;  // that the program names, not the default one
};

Otf2Routine otf2_routine(interpose::Routine routine);

}  // namespace atrium::profile
