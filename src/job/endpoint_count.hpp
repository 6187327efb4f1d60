// How many PEs of a node own an endpoint (ATRIUM_ENDPOINTS); the others use a neighbour's.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "core/result.hpp"
#include "engine/engine.hpp"

namespace atrium {

// Those that certainly have an endpoint, where an endpoint costs connections. docs/design/between-nodes.md has the measurements.
inline constexpr int most_connected_endpoints = 4;
// Of the endpoints of a node, where these cost little else. Where nodes are unequal one endpoint may have all of them, which is half of
// the open files that a process may usually have.
inline constexpr int most_connections = 512;

// What an endpoint costs: nothing that counts, a connection to each other node, or time and memory beside these.
enum class EndpointCost : uint8_t { nothing, connections, much };
EndpointCost cost_of_endpoint(const EngineTraits& traits);

// What is asked for. Those that certainly have an endpoint are known before any is open; where the user has not said how many,
// what the first one finds out about its provider decides.
struct EndpointRequest {
  int at_most = 0;  // 0: nobody has said

  int surely(int places) const;
  // Of a node with so many PEs, in a job of so many other nodes.
  int count(int places, int others, EndpointCost cost) const;
};

// An Error for what is neither a number, nor `all`, nor `auto`.
Result<EndpointRequest> requested_endpoints();

}  // namespace atrium
