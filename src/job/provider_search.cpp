// Asks the engines for what the user, the launcher and the nodes require.
// SPDX-License-Identifier: BSD-3-Clause
#include "job/provider_search.hpp"

#include <utility>

#include "engine/providers.hpp"
#include "job/endpoint_count.hpp"
#include "job/segment_plan.hpp"
#include "os/network_interface.hpp"
#include "os/open_files.hpp"
#include "topology/networks.hpp"
#include "topology/placement.hpp"
#include "wire/counterparts.hpp"

namespace atrium {
namespace {

// The endpoints of other nodes that connect to one of mine, where an endpoint costs so much.
size_t count_peers(EndpointCost cost) {
  auto request = requested_endpoints();
  const auto endpoints_of = [&](int node) {
    const auto places = static_cast<int>(placement.pes_of(node).size());
    return static_cast<size_t>(request ? request->count(places, placement.nodes() - 1, cost) : 1);
  };
  const size_t mine = endpoints_of(placement.node());
  size_t peers = 0;
  for (int node = 0; node < placement.nodes(); ++node)
    if (node != placement.node()) peers += Counterparts{0, mine, endpoints_of(node)}.count();
  return peers;
}

// A connection over TCP is an open file; what the program has open beside them is not known.
Result<void> require_descriptors(size_t peers) {
  constexpr size_t of_program = 64;
  const bool has_several = peers >= static_cast<size_t>(placement.nodes());  // on a node
  auto enough = require_open_files(peers + of_program,
                                   "cannot connect to " + std::to_string(peers) + " endpoints of other nodes",
                                   has_several ? "ATRIUM_ENDPOINTS=1" : "fewer nodes");
  if (enough) return enough;
  return enough.error().while_doing("connecting the nodes of this job");
}

}  // namespace

Result<void> ProviderSearch::search(NetworkRequest request, const Bootstrap& bootstrap) {
  request.preferred_address = interface_.empty() ? bootstrap.interface() : interface_;
  request.peers = count_peers(EndpointCost::much);
  request.peers_of_light = count_peers(EndpointCost::connections);
  request.registered = least_pinned(placement.places(), placement.nodes());
  found_ = {};  // closed before another one is opened: a card may have room for one
  auto found = find_engine(request);
  if (!found) return found.error();
  if (found->over_tcp) {
    const bool is_light = found->engine->traits().light_endpoints;
    if (auto r = require_descriptors(is_light ? request.peers_of_light : request.peers); !r) return r;
  }
  found_ = std::move(*found);
  passed_over_.insert(passed_over_.end(), found_.passed_over.begin(), found_.passed_over.end());
  return {};
}

Result<void> ProviderSearch::look(const Bootstrap& bootstrap, const std::string& first) {
  NetworkRequest request = network_request(bootstrap.pretends_nodes());
  request.first_provider = first;
  if (!provider_.empty()) request.provider = provider_;
  if (found_.engine && !first.empty()) {
    const Provider* known = find_provider(provider());
    passed_over_.push_back(
        {provider(), "passed over", "another node cannot use it", known && known->needs_card});
  }
  return search(std::move(request), bootstrap);
}

Result<void> ProviderSearch::settle_on(const Bootstrap& bootstrap, const std::string& provider,
                                       const std::string& interface) {
  provider_ = provider;
  interface_ = interface;
  if (!has_found()) return {};
  const bool is_elsewhere = !interface.empty() && !found_.address.empty() && found_.address != interface;
  return is_elsewhere || provider != this->provider() ? look(bootstrap) : Result<void>{};
}

std::vector<std::string> ProviderSearch::networks() const {
  std::vector<std::string> networks = addresses_of_networks();
  if (found_.engine) put_first(networks, found_.address);
  return networks;
}

}  // namespace atrium
