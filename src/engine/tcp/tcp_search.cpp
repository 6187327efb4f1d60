// Where an engine over TCP listens, and why it cannot.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "engine/tcp/tcp_engine.hpp"
#include "os/network_interface.hpp"

namespace atrium {
namespace {

Error not_usable(const NetworkRequest& request, const std::string& because) {
  const bool is_down = is_interface_down(request.interface);
  return Error{
      "found no way to the other nodes", because, "connecting the nodes of this job",
      is_down ? "ip link set " + request.interface + " up"
              : "atrium-info --fabric, which says why; ATRIUM_NET_INTERFACE=NAME if the network has another"};
}

// Of the named interface; or the preferred one; or the first that leads to other hosts.
Result<std::string> address_for(const NetworkRequest& request) {
  if (is_interface_down(request.interface))
    return not_usable(request, "the interface " + request.interface + " is down");
  if (!request.interface.empty()) {
    const auto address = address_of_interface(request.interface);
    if (address) return *address;
    return not_usable(request, "this host has no interface " + request.interface + " that has an address");
  }
  const std::vector<std::string> all = addresses_beyond_this_host();
  if (std::find(all.begin(), all.end(), request.preferred_address) != all.end())
    return request.preferred_address;
  if (all.empty()) return not_usable(request, "this host has no network interface but loopback");
  return all.front();
}

}  // namespace

Result<FoundEngine> find_kernel_tcp(const NetworkRequest& request,
                                    std::vector<ProviderFinding>& passed_over) {
  auto address = address_for(request);
  auto engine = address ? open_kernel_tcp(request, *address) : EngineResult(address.error());
  if (!engine) {
    passed_over.push_back({kernel_tcp, address ? cannot_be_opened : "not usable", engine.error().because});
    return engine.error();
  }
  FoundEngine found;
  found.engine = std::move(*engine);
  found.address = *address;
  found.interface = interface_of(*address);
  found.over_tcp = true;
  return found;
}

Result<EngineFindings> describe_kernel_tcp(const NetworkRequest& request) {
  std::vector<ProviderFinding> passed_over;
  if (find_kernel_tcp(request, passed_over))
    return EngineFindings{"the kernel", {{kernel_tcp, "usable", "any IP network"}}};
  return EngineFindings{"the kernel", passed_over};
}

int place_in_kernel_tcp(std::string_view provider) { return provider == kernel_tcp ? 0 : -1; }

}  // namespace atrium
