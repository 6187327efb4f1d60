// Opens and closes the path by which inlined code of programs reads addresses without a call.
// SPDX-License-Identifier: BSD-3-Clause
#include "job/inline_path.hpp"

#include <algorithm>

#include "arena/arena.hpp"
#include "arena/delta_table.hpp"
#include "arena/far_peers.hpp"
#include "check/check.hpp"
#include "check/fault_handler.hpp"
#include "check/guard_faults.hpp"
#include "check/interposed.hpp"
#include "context/context.hpp"
#include "core/log.hpp"
#include "core/settings.hpp"
#include "job/need.hpp"
#include "team/world.hpp"
#include "topology/placement.hpp"
#include "transport/pending.hpp"
#include "wait/policy.hpp"

extern "C" {
__attribute__((visibility("default"))) atrium_inline_path atrium_inline_path_2 = {.ranges = {}, .closed = 1};
__attribute__((visibility("default"))) atrium_numbers atrium_numbers_1 = {-1, -1};
__attribute__((visibility("default"))) const ptrdiff_t* atrium_deltas_1 = atrium::nowhere_table();
extern ptrdiff_t atrium_origin_1[];
}
// In assembler, because compilers must not learn where it ends, as they would when they optimise the static
// library together with a program.
__asm__(
    ".pushsection .bss.atrium_origin_1, \"aw\", %nobits\n"
    ".balign 8\n"
    ".globl atrium_origin_1\n"
    ".type atrium_origin_1, %object\n"
    ".size atrium_origin_1, 8\n"
    "atrium_origin_1: .zero 8\n"
    ".popsection");

namespace atrium {
namespace {

ptrdiff_t* shown = nullptr;  // what inlined code sees of the world; never moves, see fast.h

bool may_be_open() {
  return flag_setting("ATRIUM_INLINE") && !checking() && !writers_must_call() && !interposed();
}

Result<void> lay_out_table() {
  if (shown) return {};
  auto table = create_delta_table(1, Guard::every_number);
  if (!table) return table.error();
  atrium_deltas_1 = shown = *table;
  atrium_origin_1[0] = shown - atrium_origin_1;
  return {};
}

void hide_deltas() {
  show_far_peers_in(nullptr);
  for (const int pe : placement.pes_here()) shown[pe] = ATRIUM_AWAY;
  atrium_inline_path_2 = {.ranges = {}, .closed = 1};
  atrium_numbers_1 = {-1, -1};
  default_context.inline_delta = default_context.delta = nowhere_table();
  default_context.pending = calls_must_be_seen;
  default_context.team = nullptr;
}

// Before main and the program's own constructors, because a program may keep the table's place from before
// shmem_init. Should it fail, init says so.
__attribute__((constructor(101))) void lay_out_early() { static_cast<void>(lay_out_table()); }

}  // namespace

void open_inline_path() {
  need(lay_out_table());
  need(extend_delta_table(shown, placement.pes(), Guard::every_number));
  if (checking()) answer_faults_in(guarded_memory(shown, 1, Guard::every_number), shown);
  take_faults();
  const bool open = may_be_open();
  // If the path is closed only because there are too many PEs, or calls are compared, these are of no interest.
  if (flag_setting("ATRIUM_INLINE") && !interposed()) atrium_numbers_1 = {placement.me(), placement.pes()};
  if (open)
    for (const int pe : placement.pes_here()) shown[pe] = arena.delta[pe];
  show_far_peers_in(open ? shown : nullptr);
  default_context.inline_delta = open ? arena.delta : shown;
  show_world_teams(default_context.inline_delta);
  default_context.delta = arena.delta;
  default_context.pending = open ? 0 : calls_must_be_seen;
  default_context.team = &world_team;
  static_assert(range_count == ATRIUM_RANGES);
  for (size_t range = 0; range < range_count; ++range)
    atrium_inline_path_2.ranges[range] = {reinterpret_cast<uintptr_t>(arena.ranges[range].begin),
                                          arena.ranges[range].bytes};
  // Fence and quiet between nodes are the library's; deltas here stay in sight.
  atrium_inline_path_2.closed = !open || placement.nodes() > 1;
}

void close_inline_path() {
  hide_deltas();
  destroy_world_teams();
}

void disown_inline_path() {
  hide_deltas();
  world_team.size = shared_team.size = 0;
}

}  // namespace atrium
