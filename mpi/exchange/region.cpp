// Computes where regions begin and how long they are.
// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/region.hpp"

#include <algorithm>
#include <numeric>

namespace atrium::mpi {
namespace {

// Fills `at` from `bytes`; returns the end.
std::size_t line_up(const std::vector<std::size_t>& bytes, std::vector<std::size_t>& at) {
  std::size_t end = 0;
  for (std::size_t length : bytes) {
    at.push_back(end);
    end += aligned(length);
  }
  return end;
}

void finish(Regions& regions, int ranks) {
  const std::size_t end = std::max(line_up(regions.send_bytes, regions.send_at),
                                   line_up(regions.receive_bytes, regions.receive_at));
  regions.need = (end + ranks - 1) / ranks;
}

// Bytes per pair, in the mean, of a rank of this node.
std::size_t mean_bytes(CommState& state, int local) {
  const std::uint64_t* sent = state.node_buffer().notice(local);
  const std::size_t total = std::accumulate(sent, sent + state.nodes().count(), std::size_t{0});
  return (total + state.size() - 1) / state.size();
}

}  // namespace

Regions regions_of_uniform(const CommState& state, std::size_t block_bytes) {
  const Nodes& nodes = state.nodes();
  Regions regions;
  for (const Node& other : nodes.all) {
    const std::size_t bytes =
        region_head(0, 0, false) + std::size_t(nodes.here().size()) * other.size() * block_bytes;
    regions.send_bytes.push_back(bytes);
    regions.receive_bytes.push_back(bytes);
  }
  finish(regions, nodes.here().size());
  return regions;
}

Regions regions_of_notices(CommState& state) {
  const Nodes& nodes = state.nodes();
  const int ranks = nodes.here().size();
  Regions regions;
  for (int node = 0; node < nodes.count(); ++node) {
    std::size_t to = region_head(ranks, nodes.all[node].size(), true);
    std::size_t from = to;
    for (int local = 0; local < ranks; ++local) {
      to += state.node_buffer().notice(local)[node];
      from += state.node_buffer().notice(local)[nodes.count() + node];
    }
    regions.send_bytes.push_back(to);
    regions.receive_bytes.push_back(from);
  }
  for (int local = 0; local < ranks; ++local)
    regions.widest = std::max(regions.widest, mean_bytes(state, local));
  finish(regions, ranks);
  return regions;
}

}  // namespace atrium::mpi
