// Reads ATRIUM_ENDPOINTS and decides how many PEs of a node own an endpoint.
// SPDX-License-Identifier: BSD-3-Clause
#include "job/endpoint_count.hpp"

#include <algorithm>
#include <climits>
#include <string>

#include "atrium_words.hpp"
#include "core/settings.hpp"

namespace atrium {

EndpointCost cost_of_endpoint(const EngineTraits& traits) {
  return !traits.connected        ? EndpointCost::nothing
         : traits.light_endpoints ? EndpointCost::connections
                                  : EndpointCost::much;
}

int EndpointRequest::surely(int places) const {
  return std::min(places, at_most == 0 ? most_connected_endpoints : at_most);
}

int EndpointRequest::count(int places, int others, EndpointCost cost) const {
  if (at_most != 0 || cost == EndpointCost::much) return surely(places);
  if (cost == EndpointCost::nothing) return places;
  return std::min(places, std::max(most_connected_endpoints, most_connections / std::max(others, 1)));
}

Result<EndpointRequest> requested_endpoints() {
  const std::string text = setting("ATRIUM_ENDPOINTS");
  if (text == "auto") return EndpointRequest{};
  if (text == "all") return EndpointRequest{INT_MAX};
  if (const auto number = parse_number(text, 1)) return EndpointRequest{*number};
  return Error{"ATRIUM_ENDPOINTS=" + text + " makes no sense", "it is no number above 0, nor all, nor auto",
               "reading the settings", "ATRIUM_ENDPOINTS=4"};
}

}  // namespace atrium
