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

// The NUMA node counts where the cache is not known. PEs of another node share nothing with mine, whose own
// domains I do not know.
Shared shared_by(int pe) {
  const Domain& domain = domain_of_pe(pe);
  const int node = placement.node_of(pe);
  return domain.cache != no_domain ? Shared{node, domain.cache, 0} : Shared{node, domain.node, 1};
}

TeamDomains group(const Team& team) {
  TeamDomains domains;
  std::map<Shared, int> known;
  for (int member = 0; member < team.size; ++member) {
    const auto [place, is_new] =
        known.emplace(shared_by(team.world_pe(member)), static_cast<int>(domains.leaders.size()));
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
