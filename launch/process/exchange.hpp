// Carries what the nodes of a job tell each other while they start, from lobby to lobby.
// SPDX-License-Identifier: BSD-3-Clause
//
// The first PE of a node writes a blob into its lobby, counts the round in `told` and rings the bell (an eventfd).
// When all nodes have told the same round, the blobs go to all lobbies, whose `heard` is set and woken.
#pragma once

#include "launch/io/loop.hpp"
#include "launch/process/job_segment.hpp"

namespace atrium {

class Exchange final : public Watcher {
 public:
  Exchange(Loop& loop, JobSegment& segment);

  // Inherited by the first PE of each node; -1 when there is one node only.
  int bell() const { return bell_; }

 private:
  void on_ready() override;

  JobSegment& segment_;
  int bell_ = -1;
};

}  // namespace atrium
