// Asks the MPI for the neighbours, in each kind of topology in its own way.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/mpi/neighbours.hpp"

#include <algorithm>

namespace atrium::race {
namespace {

std::vector<int> in_grid(MPI_Comm comm) {
  std::vector<int> found;
  int dimensions = 0;
  PMPI_Cartdim_get(comm, &dimensions);
  for (int each = 0; each < dimensions; ++each) {
    int down = MPI_PROC_NULL, up = MPI_PROC_NULL;
    PMPI_Cart_shift(comm, each, 1, &down, &up);
    found.insert(found.end(), {down, up});
  }
  return found;
}

std::vector<int> in_graph(MPI_Comm comm) {
  int rank = 0, count = 0;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Graph_neighbors_count(comm, rank, &count);
  std::vector<int> found(static_cast<size_t>(count));
  PMPI_Graph_neighbors(comm, rank, count, found.data());
  return found;
}

void find_in_distributed_graph(MPI_Comm comm, std::vector<int>& before, std::vector<int>& behind) {
  int in = 0, out = 0, weighted = 0;
  PMPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
  before.resize(static_cast<size_t>(in)), behind.resize(static_cast<size_t>(out));
  std::vector<int> weights_in(before.size()), weights_out(behind.size());
  PMPI_Dist_graph_neighbors(comm, in, before.data(), weights_in.data(), out, behind.data(),
                            weights_out.data());
}

void keep_each_once(std::vector<int>& ranks) {
  std::erase_if(ranks, [](int rank) { return rank < 0; });
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
}

}  // namespace

void find_neighbours(MPI_Comm comm, std::vector<int>& before, std::vector<int>& behind) {
  int kind = MPI_UNDEFINED;
  PMPI_Topo_test(comm, &kind);
  if (kind == MPI_CART) before = behind = in_grid(comm);
  if (kind == MPI_GRAPH) before = behind = in_graph(comm);
  if (kind == MPI_DIST_GRAPH) find_in_distributed_graph(comm, before, behind);
  keep_each_once(before);
  keep_each_once(behind);
}

}  // namespace atrium::race
