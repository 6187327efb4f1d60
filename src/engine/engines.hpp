// The engines there are, as a list: another one is a folder of its own and a row.
// SPDX-License-Identifier: BSD-3-Clause
//
// An engine may have several *providers*, ways to reach other nodes, which it tries in an order of its own. One that fits is
// opened: that is what choosing means, and one that cannot be opened is passed over like one that does not fit. All nodes have
// to come to the same provider, which is why a search can begin behind those that another node has passed over.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "engine/engine.hpp"

namespace atrium {

struct NetworkRequest {
  std::string library;   // the file of a network library; empty: the engine's own
  std::string provider;  // "auto", or one by name
  std::string
      interface;  // of this host, by name or address; empty: the provider's first that is not loopback
  size_t message = 8448;            // bytes of the largest message that will be sent
  std::string preferred_address{};  // of the interface to take where several would do; empty: any
  std::string first_provider{};     // of those that are tried; empty: all are
  size_t peers = 8;                 // engines that will talk to this one
  size_t peers_of_light = 8;        // ... if it has light endpoints (EngineTraits)
  bool or_card = false;             // a provider that needs a card takes that and not the interface
  size_t registered = 0;            // bytes that will be registered at least
  bool cards_only = false;          // another engine knows how to do without
};

// From ATRIUM_LIBFABRIC, ATRIUM_NET and ATRIUM_NET_INTERFACE. `this_machine_only`: nodes are pretended.
NetworkRequest network_request(bool this_machine_only);

// What became of a provider, for people.
struct ProviderFinding {
  std::string name;
  std::string verdict;  // "chosen", "usable", "not usable", "refused", ...
  std::string reason;
  bool needs_card = false;  // it could have used one
};

inline constexpr char cannot_be_opened[] = "cannot be opened";  // a verdict
// A reason, of most providers on most hosts.
inline constexpr char provider_is_not_here[] =
    "not here, or without endpoints, messages in order and RMA as Atrium needs them";

struct FoundEngine {
  std::unique_ptr<Engine> engine;  // open
  std::string address;             // of this host, in its network; empty where it has no IP address
  std::string interface;
  bool over_tcp = false;                     // a kernel can be asked for the engine's port there
  std::vector<ProviderFinding> passed_over;  // before it
};

// What `atrium-info --fabric` shows of an engine: each provider that it knows.
struct EngineFindings {
  std::string library;  // "libfabric.so.1, version 1.17"
  std::vector<ProviderFinding> providers;
};

struct EngineKind {
  const char* name;  // as ATRIUM_ENGINE says it
  // Opens the first provider that fits the request. Notes those before it.
  Result<FoundEngine> (*find)(const NetworkRequest& request, std::vector<ProviderFinding>& passed_over);
  Result<EngineFindings> (*describe)(const NetworkRequest& request);
  // Where a provider stands in the order; -1: it is not of this engine.
  int (*place_of)(std::string_view provider);
};

// In the order in which they are tried.
std::span<const EngineKind> engine_kinds();
// Those that ATRIUM_ENGINE allows; who says by ATRIUM_LIBFABRIC which libfabric to take wants that.
Result<std::span<const EngineKind>> wanted_engines();

// The first of the wanted engines that finds a provider; where none does, what the last one says that was asked.
Result<FoundEngine> find_engine(const NetworkRequest& request);

// Where a provider stands in the order of all; -1: no engine knows it.
int place_of_provider(std::string_view name);

}  // namespace atrium
