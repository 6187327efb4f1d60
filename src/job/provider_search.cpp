// Asks libfabric with the user's, the launcher's and the nodes' wishes.
// SPDX-License-Identifier: BSD-3-Clause
#include "job/provider_search.hpp"

#include <utility>

#include "engine/providers.hpp"
#include "os/network_interface.hpp"
#include "topology/networks.hpp"

namespace atrium {

Result<void> ProviderSearch::look(const Bootstrap& bootstrap) {
  FabricWishes wishes = fabric_wishes(bootstrap.pretends_nodes());
  wishes.preferred_address = interface_.empty() ? bootstrap.interface() : interface_;
  auto found = find_libfabric(wishes);
  if (!found) return found.error();
  found_ = std::move(*found);
  return {};
}

Result<void> ProviderSearch::settle_on(const Bootstrap& bootstrap, const std::string& interface) {
  interface_ = interface;
  const bool is_other =
      !interface.empty() && found_ && !found_->address().empty() && found_->address() != interface;
  return is_other ? look(bootstrap) : Result<void>{};
}

std::vector<std::string> ProviderSearch::networks() const {
  std::vector<std::string> networks = addresses_of_networks();
  if (found_) put_first(networks, found_->address());
  return networks;
}

std::string ProviderSearch::tcp_address() const {
  const Provider* known = find_provider(found_->traits().provider);
  return known && known->over_tcp ? found_->address() : "";
}

EngineResult ProviderSearch::open() {
  const auto found = std::move(found_);
  return found->open();
}

}  // namespace atrium
