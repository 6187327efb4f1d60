// The engine that real jobs use: libfabric, opened at run time.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/engine.hpp"

namespace atrium {

struct FabricWishes {
  std::string library;   // file name; empty: libfabric.so.1
  std::string provider;  // "auto", or one by name
  std::string
      interface;  // of this host, by name or address; empty: the provider's first that is not loopback
  size_t message = 8448;            // bytes of the largest message that will be sent
  std::string preferred_address{};  // of the interface to take where several would do; empty: any
};

// From ATRIUM_LIBFABRIC, ATRIUM_NET and ATRIUM_NET_INTERFACE. `this_machine_only`: nodes are pretended.
FabricWishes fabric_wishes(bool this_machine_only);

// A provider that fits, of which nothing is open yet.
class FoundFabric {
 public:
  virtual ~FoundFabric() = default;
  virtual const EngineTraits& traits() const = 0;
  // Of this host, in the network that would be used; empty where the provider has no IP address.
  virtual std::string address() const = 0;
  // Once.
  virtual EngineResult open() = 0;
};
Result<std::unique_ptr<FoundFabric>> find_libfabric(const FabricWishes& wishes);
// Both at once.
EngineResult open_libfabric(const FabricWishes& wishes);

// What `atrium-info --fabric` shows: each provider that Atrium knows, and what became of it.
struct ProviderFinding {
  std::string name;
  std::string verdict;  // "chosen", "usable", "not there", "refused", ...
  std::string reason;
};
struct FabricFindings {
  std::string library;    // "libfabric.so.1, version 1.17"
  std::string interface;  // of the chosen one
  std::string address;
  std::vector<ProviderFinding> providers;
  EngineTraits traits;  // of the chosen one
  bool chosen = false;
};
Result<FabricFindings> look_at_fabric(const FabricWishes& wishes);

}  // namespace atrium
