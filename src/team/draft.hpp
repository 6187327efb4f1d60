// A team in the making: everything that may fail is done before the others learn of it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "team/block.hpp"
#include "team/team.hpp"

namespace atrium {

// Members of a new team in the numbering of its parent: start, start + stride, ...
struct TeamShape {
  int start = 0;
  int stride = 1;
  int size = 0;
};

// Do all these members exist in a parent of so many members, each once?
bool fits_into(const TeamShape& shape, int parent_size);

// Frees what a team owns: block, tables, itself. The team need not be complete.
struct TeamDeleter {
  void operator()(Team* team) const;
};
using OwnedTeam = std::unique_ptr<Team, TeamDeleter>;

class Draft {
 public:
  // Numbers, delta table and my block, if I am a member of it; nothing otherwise.
  Draft(Team& parent, const TeamShape& shape, const shmem_team_config_t& config);

  bool accepted() const { return !refusal_; }
  // Why it is not. `what` cannot be made.
  Error refusal(const std::string& what) const;
  bool is_member() const { return team_ != nullptr; }
  int size() const { return shape_.size; }
  Team& team() { return *team_; }
  int parent_number(int member) const { return shape_.start + member * shape_.stride; }
  // How far my new block lies from `base`, an address of mine; no_block where I have none.
  int64_t offset_from(const void* base) const;

  // Hands the team over to the list of living teams. Requires: the blocks are entered of all members that it is used with until
  // connect_on_nodes() comes again.
  Team* complete();

 private:
  Result<void> build(Team& parent);
  std::vector<int> world_pes(const Team& parent) const;

  TeamShape shape_;
  OwnedTeam team_;
  std::optional<Error> refusal_;
};

// Fills in how Atrium's own memory of its members is reached. Requires: it has its members and their deltas. False where memory is
// exhausted.
bool give_system_deltas(Team& team);

// The hook of on_team_destroy.
void run_destroy_hook(Team& team);

// The teams that live, predefined ones apart: off the list, the hook run, and freed.
void forget_team(Team& team);
void forget_all_teams();
// Those of them that the program has split off.
std::vector<Team*> split_teams();

// In a child of fork(): no handle of a team can be used any more, and inlined code on its contexts finds AWAY. Nothing
// is freed. The parent holds the list while it forks.
void disown_all_teams();
void hold_all_teams();
void let_go_of_all_teams();

}  // namespace atrium
