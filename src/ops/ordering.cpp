// Fence and quiet where something is under way between nodes.
// SPDX-License-Identifier: BSD-3-Clause
#include "ops/ordering.hpp"

#include <vector>

#include "transport/away.hpp"

namespace atrium::detail {

void fence_away(Context& ctx) { any_away().fence(ctx); }
void quiet_away(Context& ctx) { any_away().quiet(ctx); }

void require_pes(const Context& ctx, const int* pes, size_t npes) {
  if (!ctx.team) return;
  require_memory("target_pes", pes, bytes_of(npes, sizeof *pes));
  for (size_t i = 0; i < npes; ++i)
    if (pes[i] < 0 || pes[i] >= ctx.team->size) refuse_pe(pes[i], ctx.team->size);
}

void quiet_away(Context& ctx, const int* pes, size_t npes) {
  std::vector<int> world;
  for (size_t i = 0; i < npes; ++i) {
    if (pes[i] < 0 || pes[i] >= ctx.team->size) refuse_pe(pes[i], ctx.team->size);
    if (!ctx.team->is_here(pes[i])) world.push_back(ctx.team->world_pe(pes[i]));
  }
  if (!world.empty()) any_away().quiet(ctx, world);
}

}  // namespace atrium::detail
