// Derives the domains of CPUs from the list of cores, and those of PEs from the domains of their CPUs.
// SPDX-License-Identifier: BSD-3-Clause
#include "topology/domain.hpp"

#include <algorithm>
#include <utility>

#include "core/never_destroyed.hpp"
#include "core/per_pe.hpp"

namespace atrium {
namespace {

ATRIUM_PER_PE ATRIUM_CONSTINIT_VECTOR NeverDestroyed<std::vector<Domain>> domains_of_places;

bool are_alike(const Core& a, const Core& b) { return a.cache == b.cache && a.node == b.node; }

void narrow(int& shared, int another) {
  if (shared != another) shared = no_domain;
}

}  // namespace

std::vector<Domain> domains_of_cpus(const std::vector<Core>& cores) {
  std::vector<Domain> domains;
  const auto like_first = [&](const Core& core) { return are_alike(core, cores.front()); };
  if (std::all_of(cores.begin(), cores.end(), like_first)) return domains;
  for (const Core& core : cores) {
    const auto beyond = static_cast<size_t>(core.cpus.back()) + 1;
    if (domains.size() < beyond) domains.resize(beyond);
    for (int cpu : core.cpus) domains[static_cast<size_t>(cpu)] = {core.cache, core.node};
  }
  return domains;
}

Domain common_domain(const std::vector<int>& cpus, std::span<const Domain> domains) {
  if (domains.size() <= static_cast<size_t>(cpus.back())) return {};
  Domain shared = domains[static_cast<size_t>(cpus.front())];
  for (int cpu : cpus) {
    narrow(shared.cache, domains[static_cast<size_t>(cpu)].cache);
    narrow(shared.node, domains[static_cast<size_t>(cpu)].node);
  }
  return shared;
}

void set_domains_of_places(std::vector<Domain> domains) { domains_of_places.object = std::move(domains); }

const Domain& domain_of_place(int place) { return domains_of_places.object[static_cast<size_t>(place)]; }

std::vector<Domain> pretend_domains(int pes, int count) {
  std::vector<Domain> domains;
  for (int pe = 0; pe < pes; ++pe) {
    const int domain = static_cast<int>(static_cast<long>(pe) * count / pes);
    domains.push_back({domain, domain});
  }
  return domains;
}

}  // namespace atrium
