// Opens an endpoint of each provider of each engine for a moment, and says what came of it.
// SPDX-License-Identifier: BSD-3-Clause
#include "atrium-info/fabric.hpp"

#include <climits>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/log.hpp"
#include "core/settings.hpp"
#include "engine/engines.hpp"
#include "job/endpoint_count.hpp"
#include "job/segment_plan.hpp"
#include "job/unused_card.hpp"
#include "os/rdma_devices.hpp"

namespace atrium {
namespace {

void row(const char* name, const std::string& value) { std::printf("  %-22s %s\n", name, value.c_str()); }

std::string asked_text(const NetworkRequest& request) {
  std::string text = "ATRIUM_NET=" + request.provider;
  if (const std::string engine = setting("ATRIUM_ENGINE"); engine != "auto")
    text += " ATRIUM_ENGINE=" + engine;
  if (!request.interface.empty()) text += " ATRIUM_NET_INTERFACE=" + request.interface;
  if (const char* filter = std::getenv("FI_PROVIDER")) text += std::string(" FI_PROVIDER=") + filter;
  return text;
}

// As a job of this environment counts them (src/job/endpoint_count.hpp).
std::string endpoints_text(const EngineTraits& traits) {
  auto request = requested_endpoints();
  if (!request) return request.error().what;
  const EndpointCost cost = cost_of_endpoint(traits);
  const int of_two_nodes = request->count(INT_MAX, 1, cost), of_many = request->count(INT_MAX, INT_MAX, cost);
  const std::string count = of_many == INT_MAX ? "one for each PE"
                            : of_two_nodes > of_many
                                ? "one for each PE, while they have up to " + std::to_string(of_two_nodes) +
                                      " connections; at least " + std::to_string(of_many)
                                : "up to " + std::to_string(of_many);
  const std::string why = request->at_most != 0 ? "ATRIUM_ENDPOINTS=" + setting("ATRIUM_ENDPOINTS")
                          : traits.connected    ? "auto: each has connections to the other nodes'"
                                                : "auto: they need no connections";
  return count + " (" + why + ")";
}

// Opens what a job would take, and notes its provider.
int print_choice(const NetworkRequest& request, std::string& chosen) {
  auto found = find_engine(request);
  if (!found) {
    report(found.error());
    return 1;
  }
  const Engine& engine = *found->engine;
  const EngineTraits& traits = engine.traits();
  chosen = traits.provider;
  row("provider", traits.provider);
  row("interface", found->interface + (found->address.empty() ? "" : ", " + found->address));
  row("connections", traits.connected ? "one per peer endpoint" : "none");
  row("endpoints of a node", endpoints_text(traits));
  row("registered memory", traits.pins_memory ? "is made present" : "stays as sparse as it is");
  row("messages after writes", traits.sends_after_writes ? "keep their order" : "may overtake them");
  row("sleeping thread", engine.wait_fd() >= 0 ? "woken by a descriptor" : "looks now and then");
  const std::string card =
      text_of_unused_card(rdma_devices(), traits.provider, found->over_tcp, found->passed_over);
  if (!card.empty()) warn(card);
  return 0;
}

void print_engine(const EngineKind& kind, const NetworkRequest& request, const std::string& chosen) {
  auto findings = kind.describe(request);
  if (!findings && chosen.empty()) return;  // said already
  std::printf("\nProviders of the engine %s, in the order in which they are tried\n", kind.name);
  row("library", findings ? findings->library : "none: " + findings.error().because);
  if (!findings) return;
  for (const ProviderFinding& each : findings->providers)
    std::printf("  %-15s %-16s %s\n", each.name.c_str(),
                each.name == chosen ? "chosen" : each.verdict.c_str(), each.reason.c_str());
}

std::string text_of(const std::vector<std::string>& devices) {
  return devices.empty() ? "none" : text_of_devices(devices);
}

}  // namespace

int print_fabric() {
  NetworkRequest request = network_request(false);
  request.registered = least_pinned(1, 2);
  std::printf("Between nodes\n");
  if (request.provider == "off") {
    row("provider", "none: ATRIUM_NET=off");
    return 1;
  }
  auto engines = wanted_engines();
  if (!engines) {
    report(engines.error());
    return 1;
  }
  row("asked for", asked_text(request));
  row("active RDMA devices", text_of(active_rdma_devices()));
  std::string chosen;
  const int status = print_choice(request, chosen);
  for (const EngineKind& kind : *engines) print_engine(kind, request, chosen);
  return status;
}

}  // namespace atrium
