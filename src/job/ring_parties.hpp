// Which PEs of a node use whose endpoint, and where the rings between them lie.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "network/endpoint.hpp"
#include "network/ring_client.hpp"
#include "network/transport.hpp"

namespace atrium {

// The first `endpoints` PEs of my node own one each; the PE at place p uses that of place p mod endpoints.
struct RingParties {
  int endpoints = 0;
  const NodeLayout& layout;
  RingBlock* mine;  // in system memory, and so at the same place in each PE's heap

  // Requires: I own none. `map` lives as long as the client.
  RingClientPlan client(NodeMap& map, Traffic* traffic) const;
  // Requires: I own one. `view`: of my node's memory.
  std::vector<ClientRing> client_rings(const NodeMemory& view) const;

 private:
  uint64_t offset_of_block(int place) const;
};

}  // namespace atrium
