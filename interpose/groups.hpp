// Teams and active sets of this PE, while a session lasts.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "interpose/openshmem.hpp"

namespace atrium::interpose {

// The PEs start, start + 2^log_stride, ... (9.10, deprecated); of a team the size is 0.
struct ActiveSet {
  int start = 0, log_stride = 0, size = 0;

  bool operator==(const ActiveSet&) const = default;
};

// A group that this PE is a member of. Groups stay where they are to the end, since a thread may be in a call of a team that is
// gone, and contexts know their members by it.
struct PeGroup {
  shmem_team_t team = nullptr;      // of an active set none
  ActiveSet set;                    // of a team none
  shmem_team_t ancestor = nullptr;  // the predefined team that the team descends from
  int rank = 0;                     // of this PE
  std::vector<int> members;         // by their numbers in the job
  void* of_tool = nullptr;          // what the tool knows of it

  int size() const { return static_cast<int>(members.size()); }
};

// A tool may define these. A group begins before any operation on it is shown to the tool; a team when all members make it, an active set
// with its first operation. It ends with shmem_team_destroy or with the session; active sets and the predefined teams go on.
void group_begins(PeGroup& group);
void group_ends(PeGroup& group);

extern PeGroup* world_group;  // null: before the first session
// Null: this PE is no member, or there is no such team.
PeGroup* group_of_team(shmem_team_t team);
PeGroup* group_of_set(const ActiveSet& set);

void add_predefined_teams();
void add_team(shmem_team_t team, shmem_team_t parent);
void remove_team(shmem_team_t team);
void remove_all_teams();  // but the predefined

}  // namespace atrium::interpose
