// Groups the members of a team by the domains that they share.
// SPDX-License-Identifier: BSD-3-Clause
#include "team/domains.hpp"

#include <map>
#include <utility>

#include "team/nodes.hpp"
#include "topology/domain.hpp"

namespace atrium {
namespace {

using Shared = std::pair<int, bool>;

// The NUMA node counts where the cache is not known.
Shared shared_by(int pe) {
  const Domain& domain = domain_of_place(placement.place_of(pe));
  return domain.cache != no_domain ? Shared{domain.cache, true} : Shared{domain.node, false};
}

Placement group(const Team& team) {
  Placement::Builder members;
  std::map<Shared, int> known;
  for (int member = 0; member < team.size; ++member)
    members.add(known.emplace(shared_by(team.world_pe(member)), static_cast<int>(known.size())).first->second,
                1);
  return members.seen_by(team.me);
}

}  // namespace

const TeamDomains& domains_of(const Team& team) {
  if (!team.domains)
    team.domains =
        std::make_shared<const TeamDomains>(TeamDomains{team.nodes ? team.nodes->members : group(team)});
  return *team.domains;
}

}  // namespace atrium
