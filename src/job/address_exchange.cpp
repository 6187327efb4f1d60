// Publishes the addresses of endpoints at init, and reads those of other PEs and nodes.
// SPDX-License-Identifier: BSD-3-Clause
#include "job/address_exchange.hpp"

#include <cstring>
#include <utility>

#include "arena/arena.hpp"
#include "transport/address.hpp"

namespace atrium {

Result<void> publish_address(SharedAddress& mine, const Endpoint& endpoint) {
  const EndpointAddress& address = endpoint.address();
  if (address.name.size() > NodeFacts::longest_name)
    return Error{"cannot connect the nodes of this job", "an address of this provider is too long", "", ""};
  mine.key = address.region.key;
  mine.base = address.region.base;
  mine.bytes = address.name.size();
  mine.cost = cost_of_endpoint(endpoint.traits());
  mine.costly_messages = endpoint.traits().costly_messages;
  std::memcpy(mine.name, address.name.data(), address.name.size());
  return {};
}

const SharedAddress& address_of(const SharedAddress& mine, int place) {
  return *there(&mine, arena.system_delta[placement.pes_here()[static_cast<size_t>(place)]]);
}

std::vector<EndpointAddress> addresses_of_first(const SharedAddress& mine, int endpoints) {
  std::vector<EndpointAddress> all;
  for (int place = 0; place < endpoints; ++place) {
    const SharedAddress& address = address_of(mine, place);
    all.push_back({std::string(address.name, address.bytes), {address.key, address.base}});
  }
  return all;
}

namespace {

// The facts of nodes, one after the other. Node 0's secret counts.
class FactsReader {
 public:
  FactsReader() {
    nodes_.plan.node = placement.node();
    nodes_.plan.endpoint = placement.place();
  }
  Result<void> add(const std::string& text) {
    const size_t node = nodes_.plan.hosts.size();
    const size_t places = placement.pes_of(static_cast<int>(node)).size();
    NodeFacts facts;
    if (!unpack(text, places, facts)) return strange_node(node, "exchanging addresses");
    const std::string host = "node " + std::to_string(node) + " (" + facts.host + ")";
    if (node == 0)
      nodes_.plan.secret = facts.secret, provider_ = facts.provider, nodes_.plan.method = aes_128_gcm();
    if (!facts.has_aes) nodes_.plan.method = &chacha20_poly1305;  // all seal alike
    if (facts.provider != provider_)
      return different_providers(host, facts.provider, nodes_.plan.hosts[0], provider_);
    nodes_.has_clients |= facts.endpoints.size() < places;
    nodes_.plan.hosts.push_back(host);
    nodes_.plan.addresses.push_back(std::move(facts.endpoints));
    nodes_.watches.push_back(std::move(facts.watch));
    return {};
  }
  KnownNodes take() { return std::move(nodes_); }

 private:
  KnownNodes nodes_;
  std::string provider_;
};

}  // namespace

Result<KnownNodes> exchange_facts(Bootstrap& bootstrap, LobbyVisit& lobby, const NodeFacts& mine) {
  auto texts = bootstrap.allgather(lobby, pack(mine));
  if (!texts) return texts.error();
  FactsReader reader;
  for (const auto& text : *texts) {
    if (auto r = reader.add(text); !r) return r.error();
  }
  lobby.barrier();  // all have read the first PE's view of the addresses
  return reader.take();
}

}  // namespace atrium
