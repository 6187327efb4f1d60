// Which members of a team are close to each other: those that share a cache, or at least a NUMA node.
// SPDX-License-Identifier: BSD-3-Clause
//
// Words.  A *domain* is a set of members that share such a part (topology/domain.hpp); members of which nothing is known are one
//         domain. Its *leader* is its lowest member. Every member computes the same domains. If a team spans nodes, these are its
//         domains, because the caches of other nodes are unknown.
#pragma once

#include "team/team.hpp"
#include "topology/placement.hpp"

namespace atrium {

struct TeamDomains {
  Placement
      members;  // of the team, on its domains instead of nodes, which are numbered by their lowest members

  int count() const { return members.nodes(); }
  int domain_of(int member) const { return members.node_of(member); }
  int leader(int domain) const { return members.pes_of(domain).front(); }
  // The members of my domain, me included.
  Placement::PesOfNode neighbours() const { return members.pes_here(); }
};

// Computed at the first call and kept with the team. Requires: set_domains_of_places has been called; the nodes of a team that
// spans some are known.
const TeamDomains& domains_of(const Team& team);

inline bool spans_domains(const Team& team) { return domains_of(team).count() > 1; }

}  // namespace atrium
