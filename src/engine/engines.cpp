// The list of engines, and the search through it.
// SPDX-License-Identifier: BSD-3-Clause
#include "engine/engines.hpp"

#include <optional>

#include "core/settings.hpp"
#include "engine/libfabric.hpp"

namespace atrium {
namespace {

constexpr EngineKind kinds[] = {
    {"libfabric", find_libfabric, describe_libfabric, place_in_libfabric},
};

}  // namespace

std::span<const EngineKind> engine_kinds() { return kinds; }

Result<std::span<const EngineKind>> wanted_engines() {
  const std::string wanted = setting("ATRIUM_ENGINE");
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
  std::optional<Error> first;
  for (const EngineKind& kind : *wanted) {
    auto found = kind.find(request);
    if (found) return found;
    if (!first) first = found.error();
  }
  return *first;
}

int place_of_provider(std::string_view name) {
  constexpr int most_providers = 1000;  // of an engine
  for (int engine = 0; const EngineKind& kind : kinds) {
    if (const int place = kind.place_of(name); place >= 0) return engine * most_providers + place;
    ++engine;
  }
  return -1;
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
