// Makes a table of deltas for each kind of PE.
// SPDX-License-Identifier: BSD-3-Clause
#include "sim/deltas.hpp"

#include "shmem/types.h"

namespace atrium::sim {

std::vector<ptrdiff_t> DeltaTables::made_for(const Alike& alike) const {
  const auto& [place, distances] = alike;
  std::vector<ptrdiff_t> table(2 * static_cast<size_t>(world_.shape().pes()), ATRIUM_AWAY);
  for (size_t other = 0; other < distances.size(); ++other)
    table[static_cast<size_t>(middle() + distances[other])] =
        (static_cast<ptrdiff_t>(other) - place) * static_cast<ptrdiff_t>(world_.part_bytes());
  return table;
}

const ptrdiff_t* DeltaTables::of(const Pe& pe) {
  const auto& neighbours = world_.pes_of(pe.node);
  Alike alike{pe.place, {}};
  for (const int neighbour : neighbours) alike.second.push_back(neighbour - neighbours.front());
  auto found = tables_.find(alike);
  if (found == tables_.end()) found = tables_.emplace(alike, made_for(alike)).first;
  return found->second.data() + middle() - neighbours.front();
}

}  // namespace atrium::sim
