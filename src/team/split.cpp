// Splitting teams: strided subsets, rows and columns (specification sections 9.4.6 and 9.4.7).
// SPDX-License-Identifier: BSD-3-Clause
//
// Every member of the parent makes its share of the new team (a draft), then all publish where their blocks lie or
// that they failed, and meet. One refusal makes all give up: each sees all publications, so all answer alike.
#include <algorithm>
#include <initializer_list>
#include <memory>

#include "arena/arena.hpp"
#include "atrium_words.hpp"
#include "check/check.hpp"
#include "check/leaks.hpp"
#include "core/log.hpp"
#include "team/config.hpp"
#include "team/draft.hpp"
#include "team/member_barrier.hpp"
#include "team/same_call.hpp"

namespace atrium {
namespace {

// A table of members only where they are on one node.
void place_blocks(Draft& draft, const Assembly& assembly, int which) {
  Team& team = draft.team();
  if (team.spans_nodes) {
    if (!assembly.offsets(which).are_all_equal())
      team.offsets = std::make_shared<const BlockOffsets>(assembly.offsets(which));
    return;
  }
  const int64_t mine = draft.offset_from(arena.system);
  for (int member = 0; member < team.size; ++member)
    team.set_shift(member,
                   static_cast<ptrdiff_t>(assembly.offset_of(draft.parent_number(member), which) - mine));
}

// Requires: all members accepted.
shmem_team_t complete_draft(Draft& draft, const Assembly& assembly, int which) {
  if (!draft.is_member()) return SHMEM_TEAM_INVALID;
  place_blocks(draft, assembly, which);
  Team& team = draft.team();
  remember_made(Made::team, &team);
  team.is_made_by_split = true;
  return draft.complete();
}

// Before shmem_init and after shmem_finalize the predefined teams have no members, and in a child of fork() no team has any.
void require_members(Team& parent) {
  require_team(&parent);
  if (parent.size == 0) refuse_team();
}

// The first member that refuses says why: memory may be short on one of them only.
bool all_accept(const Assembly& assembly, const Team& parent, std::initializer_list<const Draft*> mine) {
  const int refuses = assembly.first_refusal();
  if (refuses == parent.me)
    for (const Draft* draft : mine)
      if (!draft->accepted())
        return report(draft->refusal("a team of " + counted(static_cast<uint64_t>(draft->size()), "PE"))),
               false;
  return refuses < 0;
}

}  // namespace

int team_split_strided(shmem_team_t parent, int start, int stride, int size,
                       const shmem_team_config_t* config, long config_mask, shmem_team_t* new_team,
                       const void* returns) {
  require_result("new_team", new_team);
  *new_team = SHMEM_TEAM_INVALID;
  const TeamShape shape{start, stride, size};
  if (parent == SHMEM_TEAM_INVALID) return -1;
  require_members(*parent);
  const CollectiveCall call{CollectiveRoutine::split_strided, static_cast<uint32_t>(size),
                            start_and_stride(start, stride)};
  require_same_call(*parent, call);
  // The arguments are the same on all members, so each finds a bad triplet by itself.
  if (!fits_into(shape, parent->size)) return -1;
  Draft draft(*parent, shape, masked_config(config, config_mask));
  const CallAtMeeting announced(*parent, call, returns);
  const Assembly assembly(*parent, {{draft.offset_from(arena.system), no_block}, !draft.accepted()});
  announced.compare();
  if (!all_accept(assembly, *parent, {&draft})) return -1;
  *new_team = complete_draft(draft, assembly, 0);
  return 0;
}

int team_split_2d(shmem_team_t parent, int xrange, const shmem_team_config_t* xaxis_config, long xaxis_mask,
                  shmem_team_t* xaxis_team, const shmem_team_config_t* yaxis_config, long yaxis_mask,
                  shmem_team_t* yaxis_team, const void* returns) {
  require_result("xaxis_team", xaxis_team);
  require_result("yaxis_team", yaxis_team);
  *xaxis_team = *yaxis_team = SHMEM_TEAM_INVALID;
  if (parent == SHMEM_TEAM_INVALID) return -1;
  require_members(*parent);
  const CollectiveCall call{CollectiveRoutine::split_2d, 0, xrange};
  require_same_call(*parent, call);
  if (xrange < 1) return -1;
  const int width = std::min(xrange, parent->size);
  const int column = parent->me % width;
  const int row_start = parent->me - column;
  const TeamShape row{row_start, 1, std::min(width, parent->size - row_start)};  // the last row may be short
  const TeamShape rows_of_column{column, width, (parent->size - column + width - 1) / width};

  Draft xaxis(*parent, row, masked_config(xaxis_config, xaxis_mask));
  Draft yaxis(*parent, rows_of_column, masked_config(yaxis_config, yaxis_mask));
  const bool accepted = xaxis.accepted() && yaxis.accepted();
  const CallAtMeeting announced(*parent, call, returns);
  const Assembly assembly(*parent,
                          {{xaxis.offset_from(arena.system), yaxis.offset_from(arena.system)}, !accepted});
  announced.compare();
  if (!all_accept(assembly, *parent, {&xaxis, &yaxis})) return -1;
  *xaxis_team = complete_draft(xaxis, assembly, 0);
  *yaxis_team = complete_draft(yaxis, assembly, 1);
  return 0;
}

}  // namespace atrium
