// Builds a communicator's table of nodes and leaders.
// SPDX-License-Identifier: BSD-3-Clause
#include "comm/nodes.hpp"

#include <algorithm>
#include <map>

namespace atrium::mpi {
namespace {

// The leaders' communicator is in the order of the ranks, as MPI_Comm_split with the rank as key makes it.
void number_leaders(Nodes& nodes) {
  int next = 0;
  for (std::size_t rank = 0; rank < nodes.node_of.size(); ++rank) {
    Node& node = nodes.all[nodes.node_of[rank]];
    if (nodes.local_of[rank] < node.leaders) node.leader_ranks.push_back(next++);
  }
}

}  // namespace

Nodes arrange(const std::vector<int>& node_roots, int rank, int leaders) {
  Nodes nodes;
  std::map<int, int> number_of;  // root -> node
  for (std::size_t other = 0; other < node_roots.size(); ++other) {
    const auto [place, is_new] = number_of.try_emplace(node_roots[other], nodes.count());
    if (is_new) nodes.all.emplace_back();
    Node& node = nodes.all[place->second];
    nodes.node_of.push_back(place->second);
    nodes.local_of.push_back(node.size());
    node.ranks.push_back(static_cast<int>(other));
  }
  nodes.narrowest = nodes.all.front().size();
  for (Node& node : nodes.all) {
    node.leaders = std::min(leaders, node.size());
    nodes.widest = std::max(nodes.widest, node.size());
    nodes.narrowest = std::min(nodes.narrowest, node.size());
  }
  nodes.mine = nodes.node_of[rank];
  nodes.local = nodes.local_of[rank];
  number_leaders(nodes);
  return nodes;
}

}  // namespace atrium::mpi
