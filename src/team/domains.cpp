// Grouping the members of a team by what they share.
// SPDX-License-Identifier: BSD-3-Clause
#include "team/domains.hpp"

#include <map>
#include <tuple>

#include "topology/domain.hpp"
#include "topology/placement.hpp"

namespace atrium {
namespace {

using Shared = std::tuple<int, int, int>;

// Where a team spans nodes they are its domains: nobody knows the caches of another node. Else the NUMA node counts
// where the cache is not known.
Shared shared_by(int pe, bool spans_nodes) {
  const Domain& domain = domain_of_pe(pe);
  const int node = placement.node_of(pe);
  if (spans_nodes) return Shared{node, 0, 2};
  return domain.cache != no_domain ? Shared{node, domain.cache, 0} : Shared{node, domain.node, 1};
}

TeamDomains group(const Team& team) {
  TeamDomains domains;
  std::map<Shared, int> known;
  for (int member = 0; member < team.size; ++member) {
    const auto [place, is_new] = known.emplace(shared_by(team.world_pe(member), team.spans_nodes),
                                               static_cast<int>(domains.leaders.size()));
    if (is_new) domains.leaders.push_back(member);
    domains.domain_of.push_back(place->second);
  }
  const int mine = domains.domain_of[static_cast<size_t>(team.me)];
  for (int member = 0; member < team.size; ++member) {
    if (domains.domain_of[static_cast<size_t>(member)] == mine) domains.neighbours.push_back(member);
  }
  return domains;
}

}  // namespace

const TeamDomains& domains_of(const Team& team) {
  if (!team.domains) team.domains = std::make_shared<const TeamDomains>(group(team));
  return *team.domains;
}

}  // namespace atrium
