// Barriers and collectives, and whose data they bring to whom.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "interpose/operation.hpp"
#include "race/openshmem/meeting.hpp"

namespace atrium::race {

using interpose::RoutineCall;

// From entry to exit.
class BarrierUse {
 public:
  // `completes`: the operations of the default context, as a barrier does and a sync does not.
  BarrierUse(const interpose::Site& site, const PeGroup& group, bool completes);
  ~BarrierUse() { meeting_.learn_from_all(); }
  BarrierUse(const BarrierUse&) = delete;
  BarrierUse& operator=(const BarrierUse&) = delete;

 private:
  Meeting meeting_;
};

// Requires: the group of the operation has this PE.
class CollectiveUse {
 public:
  explicit CollectiveUse(const RoutineCall& operation);
  ~CollectiveUse();
  CollectiveUse(const CollectiveUse&) = delete;
  CollectiveUse& operator=(const CollectiveUse&) = delete;

  // When the routine has run: what it wrote here.
  void wrote(const RoutineCall& operation);

 private:
  void learn_from_others();

  Meeting meeting_;
  const PeGroup& group_;
  interpose::RoutineFamily family_;
  int root_;
  bool learned_ = false;
};

}  // namespace atrium::race
