// Deals out the planes, finds who shares a node, and lets neighbours meet.
// SPDX-License-Identifier: BSD-3-Clause
#include "domain.hpp"

namespace {

std::size_t first_row(const Grid& grid, int rank, int ranks) {
  return grid.plane() * (grid.z * static_cast<std::size_t>(rank) / static_cast<std::size_t>(ranks));
}

// Ranks of a node are neighbours in comm, as launchers place them; else each rank would be a domain of its
// own.
void widen_to_node(Domain& domain) {
  domain.flags = std::make_unique<atrium::NodeWindow<double>>(domain.comm, 1);
  while (domain.first > 0 && domain.flags->rank_of(domain.first - 1) >= 0) domain.first--;
  while (domain.last + 1 < domain.ranks && domain.flags->rank_of(domain.last + 1) >= 0) domain.last++;
  if (domain.last - domain.first + 1 != domain.flags->size())
    throw std::runtime_error("cg: the ranks of a node are not neighbours; start them by node");
}

}  // namespace

Domain make_domain(MPI_Comm comm, const Grid& grid, bool shared) {
  Domain domain{};
  domain.comm = comm;
  MPI_Comm_rank(comm, &domain.rank);
  MPI_Comm_size(comm, &domain.ranks);
  domain.first = domain.last = domain.rank;
  if (shared) widen_to_node(domain);
  domain.begin = first_row(grid, domain.first, domain.ranks);
  domain.end = first_row(grid, domain.last + 1, domain.ranks);
  domain.mine_begin = first_row(grid, domain.rank, domain.ranks);
  domain.mine_end = first_row(grid, domain.rank + 1, domain.ranks);
  return domain;
}

void meet_neighbours(Domain& domain) {
  if (domain.flags == nullptr) return;
  for (const int peer : {domain.rank - 1, domain.rank + 1})
    if (domain.holds(peer)) domain.flags->post(domain.flags->rank_of(peer));
  for (const int peer : {domain.rank - 1, domain.rank + 1})
    if (domain.holds(peer)) domain.flags->wait(domain.flags->rank_of(peer));
}
