// What the CPUs of a PE share: a last-level cache, a NUMA node. PEs with the same numbers are close to each
// other.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "topology/cores.hpp"

namespace atrium {

inline constexpr int no_domain = -1;  // the CPUs lie in several, or it is unknown

struct Domain {
  int cache = no_domain;  // the lowest CPU that shares the last cache
  int node = no_domain;   // NUMA node
};

// The domain of each CPU, by its number; empty where all cores share the same things.
std::vector<Domain> domains_of_cpus(const std::vector<Core>& cores);

// What all of `cpus` share; CPUs beyond the list are of no domain.
Domain common_domain(const std::vector<int>& cpus, std::span<const Domain> domains);

// The domains of the PEs of my node, by place: set once, at init, the same on every PE of a node.
void set_domains_of_places(std::vector<Domain> domains);
const Domain& domain_of_place(int place);

// Machines that are not here: `pes` PEs in `count` domains of neighbours, as equal as can be.
std::vector<Domain> pretend_domains(int pes, int count);

}  // namespace atrium
