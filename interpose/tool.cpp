// Finds what an operation concerns, and keeps what it changes.
// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/tool.hpp"

#include <optional>

namespace atrium::interpose {

bool in_session = false;

namespace {

// A block that cannot be moved stays, and one of no bytes is none.
void learn_moved(const RoutineCall& operation, const void* moved) {
  if (!moved && operation.count != 0) return;
  end_block(operation.dest, operation.place);
  if (moved && operation.count != 0) add_block(moved, operation.count, operation.place);
}

void learn_teams(const RoutineCall& operation) {
  add_team(operation.new_team(), operation.team);
  if (operation.second_team) add_team(*operation.second_team, operation.team);
}

}  // namespace

void find_block(RoutineCall& operation) {
  const std::optional<TrackedBlock> block = live_block(operation.dest);
  if (!block) return;
  operation.block_bytes = block->bytes;
  operation.block_place = block->allocated;
}

// Afterwards another may have the same handle or address.
void forget(const RoutineCall& operation) {
  if (operation.family == RoutineFamily::free) end_block(operation.dest, operation.place);
  if (operation.family == RoutineFamily::team_destroy) remove_team(operation.team);
  if (operation.family == RoutineFamily::ctx_destroy) remove_context(operation.ctx);
}

void learn(const RoutineCall& operation, uint64_t result) {
  const auto* const block = reinterpret_cast<const void*>(result);
  if (operation.family == RoutineFamily::allocate && block && operation.count != 0)
    add_block(block, operation.count, operation.place);
  if (operation.family == RoutineFamily::reallocate) learn_moved(operation, block);
  if (operation.family == RoutineFamily::team_split && result == 0) learn_teams(operation);
  if (operation.family == RoutineFamily::ctx_create && result == 0 &&
      operation.new_ctx() != SHMEM_CTX_INVALID)
    add_context(operation.new_ctx(), operation.group);
}

void begin_session() {
  add_predefined_teams();
  add_context(SHMEM_CTX_DEFAULT, world_group);
  in_session = true;
}

std::vector<TrackedBlock> end_session(uint64_t place) {
  in_session = false;
  remove_all_teams();
  remove_all_contexts();
  return end_all_blocks(place);
}

void abandon_session() { in_session = false; }

}  // namespace atrium::interpose
