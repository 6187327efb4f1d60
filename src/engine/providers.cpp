// The table of libfabric's providers: order of preference, what each can do, and why some are refused.
// SPDX-License-Identifier: BSD-3-Clause
#include "engine/providers.hpp"

namespace atrium {
namespace {

constexpr Provider providers[] = {
#include "engine/providers.table"
};

}  // namespace

std::span<const Provider> known_providers() { return providers; }

const Provider* find_provider(std::string_view name) {
  for (const Provider& provider : providers) {
    if (name == provider.name) return &provider;
  }
  return nullptr;
}

}  // namespace atrium
