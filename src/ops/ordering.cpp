// Fence and quiet where something is under way between nodes.
// SPDX-License-Identifier: BSD-3-Clause
#include "ops/ordering.hpp"

#include <vector>

#include "transport/away.hpp"

namespace atrium::detail {
namespace {

// Something is pending, so there is a transport, whoever it leads to.
AwayTransport& transport_of(const Context& ctx) { return away_to(ctx.team ? ctx.team->world_pe(0) : 0); }

}  // namespace

void fence_away(Context& ctx) { transport_of(ctx).fence(ctx); }
void quiet_away(Context& ctx) { transport_of(ctx).quiet(ctx); }

void quiet_away(Context& ctx, const int* pes, size_t npes) {
  std::vector<int> world;
  for (size_t i = 0; i < npes; ++i) {
    if (pes[i] < 0 || pes[i] >= ctx.team->size) refuse_pe(pes[i], ctx.team->size);
    if (!ctx.team->is_here(pes[i])) world.push_back(ctx.team->world_pe(pes[i]));
  }
  if (!world.empty()) transport_of(ctx).quiet(ctx, world);
}

}  // namespace atrium::detail
