// Which rank of a communicator lives on which node, and who leads.
// SPDX-License-Identifier: BSD-3-Clause
//
// Nodes are numbered in the order of their first ranks; the ranks of a node keep the communicator's order,
// and the first of them lead. Every rank computes the same table.
#pragma once

#include <vector>

namespace atrium::mpi {

struct Node {
  std::vector<int> ranks;  // in the communicator; their places here are their local numbers
  int leaders = 1;
  std::vector<int> leader_ranks;  // leader -> its rank in the leaders' communicator
  int size() const { return static_cast<int>(ranks.size()); }
};

struct Nodes {
  std::vector<Node> all;
  std::vector<int> node_of;   // rank -> node
  std::vector<int> local_of;  // rank -> number on its node
  int mine = 0;               // my node
  int local = 0;              // my number there
  int widest = 0;             // ranks of the largest node
  int narrowest = 0;          // of the smallest
  const Node& here() const { return all[mine]; }
  int count() const { return static_cast<int>(all.size()); }
  int first_here() const { return here().ranks.front(); }
  bool i_lead() const { return local < here().leaders; }
};

// `node_roots[rank]`: the communicator's rank of the first rank on that rank's node.
Nodes arrange(const std::vector<int>& node_roots, int rank, int leaders);

}  // namespace atrium::mpi
