// A tree of two levels: the leaders of the domains, and under each leader the members of its domain.
// SPDX-License-Identifier: BSD-3-Clause
//
// What crosses from one cache, or one socket, to another does so once per domain. The root leads its own
// domain, and the leaders are a tree (coll/steps/tree.hpp) with the root on top.
#pragma once

#include "coll/steps/tree.hpp"
#include "team/domains.hpp"
#include "team/flags.hpp"

namespace atrium {

// The upper level, for a leader; the same questions as a Tree answers.
class LeaderTree {
 public:
  LeaderTree(const Team& team, int root)
      : domains_(domains_of(team)),
        root_(root),
        tree_(domain_of(team.me), domains_.count(), domain_of(root)) {}

  bool is_root() const { return tree_.is_root(); }
  int parent() const { return leader(tree_.parent()); }
  int branch() const { return tree_.branch(); }
  int children() const { return tree_.children(); }
  int child(int branch) const { return leader(tree_.child(branch)); }
  // Who leads that member's domain.
  int leader_of(int member) const { return leader(domain_of(member)); }

 private:
  int domain_of(int member) const { return domains_.domain_of(member); }
  int leader(int domain) const { return domain == domain_of(root_) ? root_ : domains_.leader(domain); }

  const TeamDomains& domains_;
  int root_;
  Tree tree_;
};

// A leader's children: leaders below it first, because theirs is the longer way, then its neighbours.
template <class Visit>
void for_each_child(const Team& team, const LeaderTree& leaders, Visit visit) {
  for (int branch = 0; branch < leaders.children(); ++branch) visit(leaders.child(branch));
  for (int member : domains_of(team).neighbours()) {
    if (member != team.me) visit(member);
  }
}

// Member and leader: returns when all members of my domain have arrived. It has a count of its own, because acknowledgements may
// be under way.
inline void arrive_in_domain(Team& team, int leader) { add_at(team, leader, &TeamBlock::neighbours); }
inline void await_neighbours(Team& team) {
  team.progress.neighbours_expected += domains_of(team).neighbours().size() - 1;
  await(team, &TeamBlock::neighbours, team.progress.neighbours_expected, WaitKind::barrier);
}

}  // namespace atrium
