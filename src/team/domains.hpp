// Which members of a team are close to each other: those that share a cache, or at least a NUMA node.
// SPDX-License-Identifier: BSD-3-Clause
//
// Words.  A *domain* is what members that share have in common (topology/domain.hpp); members of which
//         nothing is known are one domain. Its *leader* is its lowest member. Every member computes the same.
#pragma once

#include <vector>

#include "team/team.hpp"

namespace atrium {

struct TeamDomains {
  std::vector<int> leaders;     // ascending: of each domain
  std::vector<int> domain_of;   // by member: the index of its leader
  std::vector<int> neighbours;  // ascending: the members of my domain, me included
};

// Computed at the first call and kept with the team. Requires: set_domains_of_pes has been called.
const TeamDomains& domains_of(const Team& team);

inline bool spans_domains(const Team& team) { return domains_of(team).leaders.size() > 1; }

}  // namespace atrium
