// The addresses of endpoints: each PE publishes its own in system memory for the first PE of its node, and nodes exchange them
// through the launcher.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bootstrap/bootstrap.hpp"
#include "core/result.hpp"
#include "job/endpoint_count.hpp"
#include "job/node_facts.hpp"
#include "lobby/visit.hpp"
#include "network/endpoint.hpp"

namespace atrium {

// What a PE publishes for the first PE of its node.
struct SharedAddress {
  uint64_t key, base, bytes;
  int64_t request;          // EndpointRequest::at_most
  EndpointCost cost;        // by its engine
  int64_t costly_messages;  // EngineTraits
  char name[NodeFacts::longest_name];
};

Result<void> publish_address(SharedAddress& mine, const Endpoint& endpoint);
// Requires: the PE at that place of my node has published it, and a barrier has followed.
const SharedAddress& address_of(const SharedAddress& mine, int place);
// Those of the first PEs of my node.
std::vector<EndpointAddress> addresses_of_first(const SharedAddress& mine, int endpoints);

// What all nodes have exchanged.
struct KnownNodes {
  EndpointPlan plan;  // for my endpoint
  std::vector<std::string> watches;
  bool has_clients = false;  // on some node PEs without an endpoint
};

// Collective. Of `mine` only what my node's first PE says counts. An Error, which names the host, for a node of another version,
// or with another provider.
Result<KnownNodes> exchange_facts(Bootstrap& bootstrap, LobbyVisit& lobby, const NodeFacts& mine);

}  // namespace atrium
