// Opens and shuts the door.
// SPDX-License-Identifier: BSD-3-Clause
#include "job/door.hpp"

#include "arena/arena.hpp"
#include "arena/delta_table.hpp"
#include "check/check.hpp"
#include "check/interposed.hpp"
#include "context/context.hpp"
#include "core/log.hpp"
#include "core/settings.hpp"
#include "ordering/policy.hpp"
#include "team/world.hpp"

extern "C" {
__attribute__((visibility("default"))) atrium_door atrium_door_1 = {atrium::nowhere_table(), 0, 0, 0, 0, 1};
__attribute__((visibility("default"))) shmem_ctx_t SHMEM_CTX_DEFAULT = &atrium::default_context;
}

namespace atrium {
namespace {

ptrdiff_t* shut_table = nullptr;  // AWAY for every PE, for as long as the process lives
const char* reason = "";

const char* find_reason() {
  if (!flag_setting("ATRIUM_INLINE")) return "ATRIUM_INLINE=off";
  if (checking()) return "ATRIUM_CHECK";
  if (writers_must_call()) return "oversubscribed";
  return interposed() ? "interposed" : "";
}

const ptrdiff_t* choose_table() {
  reason = find_reason();
  if (*reason == '\0') return arena.delta;
  if (!shut_table) {
    auto table = create_delta_table(arena.npes, Guard::every_int);
    if (!table) fatal(table.error().while_doing("shmem_init"));
    shut_table = *table;
  }
  return shut_table;
}

}  // namespace

void open_door() {
  const ptrdiff_t* shown = choose_table();
  show_world_teams(shown);
  default_context.delta = shown;
  default_context.true_delta = arena.delta;
  default_context.team = &world_team;
  atrium_door_1 = {shown,
                   reinterpret_cast<uintptr_t>(arena.globals),
                   arena.globals_size,
                   reinterpret_cast<uintptr_t>(arena.heap),
                   arena.heap_size,
                   *reason != '\0'};
}

void close_door() {
  atrium_door_1 = {nowhere_table(), 0, 0, 0, 0, 1};
  default_context.delta = default_context.true_delta = nowhere_table();
  default_context.team = nullptr;
  destroy_world_teams();
}

const char* why_shut() { return reason; }

}  // namespace atrium
