// How many PEs of a node own an endpoint (ATRIUM_ENDPOINTS); the others use a neighbour's.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/result.hpp"

namespace atrium {

// On a node with more PEs only so many have an endpoint, where each endpoint costs a connection to each peer and buffers
// of its own. docs/design/between-nodes.md has the measurements.
inline constexpr int most_connected_endpoints = 4;

// What is asked for. Those that certainly have an endpoint are known before any is open; where the user has not said how many,
// what the first one finds out about its provider decides.
struct EndpointRequest {
  int at_most = 0;  // 0: nobody has said

  int surely(int places) const;
  int count(int places, bool connected) const;
};

// An Error for what is neither a number, nor `all`, nor `auto`.
Result<EndpointRequest> requested_endpoints();

}  // namespace atrium
