// A sync of a team by its domains, in two halves with member 0 alone between them.
// SPDX-License-Identifier: BSD-3-Clause
//
// Members come to the leader of their domain, and leaders come to member 0 in a tree; the release goes the same way back. Few flags
// cross between caches, where one takes five times as long (docs/measurements/collectives.md).
#pragma once

#include "coll/steps/arrive.hpp"
#include "coll/steps/domain_tree.hpp"
#include "coll/steps/gather_up.hpp"

namespace atrium {

class DomainSync {
 public:
  DomainSync(Team& team, uint64_t epoch) : team_(team), leaders_(team, 0), epoch_(epoch) {}

  // Not member 0: says that I have come, with all below me.
  void arrive() const {
    const int leader = leaders_.leader_of(team_.me);
    team_.me == leader ? await_all() : arrive_in_domain(team_, leader);
  }
  // After it: returns when I may go.
  void wait() const {
    await_release(team_, epoch_);
    if (team_.me == leaders_.leader_of(team_.me)) release();
  }
  // Member 0, or another leader: all below me have come, which a parent is told.
  void await_all() const {
    await_neighbours(team_);
    gather_up(team_, leaders_, epoch_);
  }
  void release() const {
    for_each_child(team_, leaders_, [&](int child) { raise(team_, child, &TeamBlock::released, epoch_); });
  }

 private:
  Team& team_;
  const LeaderTree leaders_;
  const uint64_t epoch_;
};

}  // namespace atrium
