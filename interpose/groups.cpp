// Finds groups by their team or active set.
// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/groups.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include "interpose/spin_lock.hpp"

namespace atrium::interpose {

[[gnu::weak]] void group_begins(PeGroup&) {}
[[gnu::weak]] void group_ends(PeGroup&) {}

// Apart from the others, because it is asked for at every barrier.
PeGroup* world_group = nullptr;

namespace {

SpinLock lock;
std::vector<PeGroup*>& groups = *new std::vector<PeGroup*>;

template <class Fits>
PeGroup* find(Fits fits) {
  const std::lock_guard guard(lock);
  const auto found =
      std::find_if(groups.begin(), groups.end(), [&](const PeGroup* one) { return fits(*one); });
  return found == groups.end() ? nullptr : *found;
}

// The tool knows it before others find it.
PeGroup* add(PeGroup&& made) {
  auto* const group = new PeGroup(std::move(made));
  group_begins(*group);
  const std::lock_guard guard(lock);
  groups.push_back(group);
  return group;
}

PeGroup* make_team(shmem_team_t team, shmem_team_t ancestor) {
  PeGroup made;
  made.team = team;
  made.ancestor = ancestor;
  made.rank = pshmem_team_my_pe(team);
  const int size = pshmem_team_n_pes(team);
  for (int rank = 0; rank < size; ++rank)
    made.members.push_back(pshmem_team_translate_pe(team, rank, SHMEM_TEAM_WORLD));
  return add(std::move(made));
}

// Without asking for the team: libraries before 1.5 have none.
PeGroup* make_world() {
  PeGroup made;
  made.team = made.ancestor = SHMEM_TEAM_WORLD;
  made.rank = pshmem_my_pe();
  const int size = pshmem_n_pes();
  for (int pe = 0; pe < size; ++pe) made.members.push_back(pe);
  return add(std::move(made));
}

bool is_predefined(shmem_team_t team) { return team == SHMEM_TEAM_WORLD || team == SHMEM_TEAM_SHARED; }

}  // namespace

PeGroup* group_of_team(shmem_team_t team) {
  if (team == SHMEM_TEAM_INVALID) return nullptr;
  if (team == SHMEM_TEAM_WORLD) return world_group;
  return find([&](const PeGroup& one) { return one.team == team; });
}

PeGroup* group_of_set(const ActiveSet& set) {
  if (set.size <= 0 || set.log_stride < 0) return nullptr;
  if (PeGroup* const known = find([&](const PeGroup& one) { return one.set == set; })) return known;
  PeGroup made;
  made.set = set;
  made.rank = (pshmem_my_pe() - set.start) >> set.log_stride;
  for (int i = 0; i < set.size; ++i) made.members.push_back(set.start + (i << set.log_stride));
  return add(std::move(made));
}

void add_predefined_teams() {
  if (world_group) return;
  world_group = make_world();
  if (SHMEM_TEAM_SHARED != SHMEM_TEAM_INVALID) make_team(SHMEM_TEAM_SHARED, SHMEM_TEAM_SHARED);
}

void add_team(shmem_team_t team, shmem_team_t parent) {
  if (team == SHMEM_TEAM_INVALID) return;
  const PeGroup* const from = group_of_team(parent);
  make_team(team, from ? from->ancestor : SHMEM_TEAM_WORLD);
}

void remove_team(shmem_team_t team) {
  if (team == SHMEM_TEAM_INVALID || is_predefined(team)) return;
  PeGroup* const group = group_of_team(team);
  if (!group) return;
  group_ends(*group);
  const std::lock_guard guard(lock);
  std::erase(groups, group);
}

void remove_all_teams() {
  const std::lock_guard guard(lock);
  std::erase_if(groups, [](PeGroup* one) {
    const bool ends = one->team && !is_predefined(one->team);
    if (ends) group_ends(*one);
    return ends;
  });
}

}  // namespace atrium::interpose
