// The list of engines, and the search through it.
// SPDX-License-Identifier: BSD-3-Clause
#include "engine/engines.hpp"

#include <optional>

#include "core/settings.hpp"
#include "engine/libfabric.hpp"
#include "engine/tcp/tcp_engine.hpp"

namespace atrium {
namespace {

constexpr EngineKind kinds[] = {
    {"libfabric", find_libfabric, describe_libfabric, place_in_libfabric},
    {"tcp", find_kernel_tcp, describe_kernel_tcp, place_in_kernel_tcp},
};

// Where the engine of a provider stands in the list; -1: no engine knows it.
int engine_of(std::string_view provider) {
  for (int engine = 0; const EngineKind& kind : kinds) {
    if (kind.place_of(provider) >= 0) return engine;
    ++engine;
  }
  return -1;
}

// A provider that is asked for is of one engine, and a search does not come to those before the one it begins with.
bool may_have(const EngineKind& kind, const NetworkRequest& request) {
  const auto mine = static_cast<int>(&kind - kinds);
  return mine >= engine_of(request.first_provider) &&
         (request.provider == "auto" || mine == engine_of(request.provider));
}

Error no_such_provider(const NetworkRequest& request) {
  if (request.provider == "off")
    return Error{"this job spans nodes, and may not use the network", "ATRIUM_NET=off",
                 "connecting the nodes of this job", "unsetting ATRIUM_NET, or keeping the job on one node"};
  const bool is_known = engine_of(request.provider) >= 0;
  return Error{
      "cannot use the network provider " + request.provider,
      is_known ? "ATRIUM_ENGINE and ATRIUM_LIBFABRIC allow another engine alone" : "Atrium does not know it",
      "reading ATRIUM_NET", "ATRIUM_NET=auto; atrium-info --fabric lists the providers"};
}

}  // namespace

std::span<const EngineKind> engine_kinds() { return kinds; }

Result<std::span<const EngineKind>> wanted_engines() {
  const std::string wanted = setting("ATRIUM_ENGINE");
  if (wanted == "auto" && !setting("ATRIUM_LIBFABRIC").empty()) return std::span<const EngineKind>(kinds, 1);
  if (wanted == "auto") return engine_kinds();
  std::string names = "auto";
  for (const EngineKind& kind : kinds) {
    if (wanted == kind.name) return std::span<const EngineKind>(&kind, 1);
    names += std::string(", ") + kind.name;
  }
  return Error{"there is no engine " + wanted, "Atrium has " + names, "reading ATRIUM_ENGINE",
               "ATRIUM_ENGINE=auto"};
}

Result<FoundEngine> find_engine(const NetworkRequest& request) {
  auto wanted = wanted_engines();
  if (!wanted) return wanted.error();
  NetworkRequest own = request;
  own.cards_only = request.provider == "auto" && wanted->size() > 1;
  std::vector<ProviderFinding> passed_over;
  std::optional<Error> last;
  for (const EngineKind& kind : *wanted) {
    if (!may_have(kind, request)) continue;
    auto found = kind.find(own, passed_over);
    if (found) {
      found->passed_over = std::move(passed_over);
      return found;
    }
    last = found.error();
  }
  return last ? *last : no_such_provider(request);
}

int place_of_provider(std::string_view name) {
  constexpr int most_providers = 1000;  // of an engine
  const int engine = engine_of(name);
  return engine < 0 ? -1 : engine * most_providers + kinds[engine].place_of(name);
}

NetworkRequest network_request(bool this_machine_only) {
  NetworkRequest request;
  request.library = setting("ATRIUM_LIBFABRIC");
  request.provider = setting("ATRIUM_NET");
  request.interface = setting("ATRIUM_NET_INTERFACE");
  request.or_card = request.interface.empty() && this_machine_only;
  if (request.or_card) request.interface = "lo";
  return request;
}

}  // namespace atrium
