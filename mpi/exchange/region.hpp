// Where the regions of a call lie in a node's areas.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "comm/comm_state.hpp"
#include "exchange/layout.hpp"

namespace atrium::mpi {

// The areas of this node for one call: a region for each node, one behind the other.
struct Regions {
  std::vector<std::size_t> send_at, receive_at;        // by node: where its region begins in the area
  std::vector<std::size_t> send_bytes, receive_bytes;  // by node
  std::size_t need = 0;                                // of the larger area, as a share for each rank
  std::size_t widest = 0;                              // bytes per pair of the rank here that sends most
};

// All blocks of the same size.
Regions regions_of_uniform(const CommState& state, std::size_t block_bytes);
// From the notices of all ranks here.
Regions regions_of_notices(CommState& state);

}  // namespace atrium::mpi
