// By which provider, and in which of its networks, this host will reach the other nodes.
// SPDX-License-Identifier: BSD-3-Clause
//
// Each node opens the first provider that it can. Where nodes have come to different ones, those that are ahead pass theirs over
// and look on from the one that is furthest behind, until all have the same or one has none left.
#pragma once

#include <string>
#include <vector>

#include "bootstrap/bootstrap.hpp"
#include "core/result.hpp"
#include "engine/engines.hpp"

namespace atrium {

class ProviderSearch {
 public:
  // Of those from `first` on; empty: of all.
  Result<void> look(const Bootstrap& bootstrap, const std::string& first = {});
  // Looks again where the nodes have chosen another provider or interface than what was found. `interface`: by address;
  // empty: none.
  Result<void> settle_on(const Bootstrap& bootstrap, const std::string& provider,
                         const std::string& interface);

  bool has_found() const { return found_.engine != nullptr; }
  bool pins_memory() const { return found_.engine && found_.engine->traits().pins_memory; }
  // Empty where nothing is found.
  std::string provider() const { return found_.engine ? found_.engine->traits().provider : ""; }
  // In which it can be reached, as job/network.hpp says.
  std::vector<std::string> networks() const;
  // At which its kernel can be asked for a port; empty where the provider's addresses are not those of TCP.
  std::string tcp_address() const { return found_.over_tcp ? found_.address : ""; }
  // What has been tried before it.
  const std::vector<ProviderFinding>& passed_over() const { return passed_over_; }
  // Once.
  std::unique_ptr<Engine> take() { return std::move(found_.engine); }

 private:
  Result<void> search(NetworkRequest request, const Bootstrap& bootstrap);

  FoundEngine found_;
  std::vector<ProviderFinding> passed_over_;
  std::string provider_;   // on which the nodes have settled; empty: on none yet
  std::string interface_;  // the same
};

}  // namespace atrium
