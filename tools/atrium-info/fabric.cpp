// Opens libfabric, and an endpoint of the chosen provider for a moment, and says what came of it.
// SPDX-License-Identifier: BSD-3-Clause
#include "atrium-info/fabric.hpp"

#include <climits>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "core/log.hpp"
#include "core/settings.hpp"
#include "engine/libfabric.hpp"
#include "job/endpoint_count.hpp"

namespace atrium {
namespace {

void row(const char* name, const std::string& value) { std::printf("  %-22s %s\n", name, value.c_str()); }

std::string asked_text(const FabricWishes& wishes) {
  std::string text = "ATRIUM_NET=" + wishes.provider;
  if (!wishes.interface.empty()) text += " ATRIUM_NET_INTERFACE=" + wishes.interface;
  if (const char* filter = std::getenv("FI_PROVIDER")) text += std::string(" FI_PROVIDER=") + filter;
  return text;
}

// As a job of this environment counts them (src/job/endpoint_count.hpp).
std::string endpoints_text(bool connected) {
  auto wish = endpoint_wish();
  if (!wish) return wish.error().what;
  const int most = wish->count(INT_MAX, connected);
  const std::string count = most == INT_MAX ? "one for each PE" : "up to " + std::to_string(most);
  const std::string why = wish->at_most != 0 ? "ATRIUM_ENDPOINTS=" + setting("ATRIUM_ENDPOINTS")
                          : connected        ? "auto: each has connections to the other nodes'"
                                             : "auto: they need no connections";
  return count + " (" + why + ")";
}

// The first of the list that fits is what a job takes; now see whether it opens.
int print_choice(const FabricWishes& wishes, const FabricFindings& findings) {
  auto engine = open_libfabric(wishes);
  if (!engine) {
    report(engine.error());
    return 1;
  }
  const EngineTraits& traits = (*engine)->traits();
  row("provider", traits.provider);
  row("interface", findings.interface + (findings.address.empty() ? "" : ", " + findings.address));
  row("connections", traits.connected ? "one per peer endpoint" : "none");
  row("endpoints of a node", endpoints_text(traits.connected));
  row("registered memory", traits.pins_memory ? "is made present" : "stays as sparse as it is");
  row("messages after writes", traits.sends_after_writes ? "keep their order" : "may overtake them");
  row("sleeping thread", (*engine)->wait_fd() >= 0 ? "woken by a descriptor" : "looks now and then");
  return 0;
}

void print_providers(const FabricFindings& findings) {
  std::printf("\nProviders, in the order in which they are tried\n");
  for (const ProviderFinding& each : findings.providers)
    std::printf("  %-15s %-13s %s\n", each.name.c_str(), each.verdict.c_str(), each.reason.c_str());
}

}  // namespace

int print_fabric() {
  const FabricWishes wishes = fabric_wishes(false);
  if (wishes.provider == "off") {
    std::printf("Between nodes\n");
    row("provider", "none: ATRIUM_NET=off");
    return 1;
  }
  auto findings = look_at_fabric(wishes);
  if (!findings) {
    report(findings.error());
    return 1;
  }
  std::printf("Between nodes\n");
  row("asked for", asked_text(wishes));
  row("library", findings->library);
  const int status = print_choice(wishes, *findings);
  print_providers(*findings);
  return status;
}

}  // namespace atrium
