// By which provider, and in which of its networks, this host will reach the other nodes.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bootstrap/bootstrap.hpp"
#include "core/result.hpp"
#include "engine/libfabric.hpp"

namespace atrium {

// What it has found is not open yet.
class ProviderSearch {
 public:
  Result<void> look(const Bootstrap& bootstrap);
  // Looks again where the nodes have chosen another interface than the provider would take. `interface`: by address; empty: none.
  Result<void> settle_on(const Bootstrap& bootstrap, const std::string& interface);

  bool has_found() const { return found_ != nullptr; }
  bool pins_memory() const { return found_ && found_->traits().pins_memory; }
  // In which it can be reached, as job/network.hpp says.
  std::vector<std::string> networks() const;
  // At which its kernel can be asked for a port; empty where the provider's addresses are not those of TCP.
  std::string tcp_address() const;
  // What was found is open, and no longer here.
  EngineResult open();

 private:
  std::unique_ptr<FoundFabric> found_;
  std::string interface_;
};

}  // namespace atrium
