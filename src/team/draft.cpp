// Makes and frees what one member contributes to a team.
// SPDX-License-Identifier: BSD-3-Clause
#include "team/draft.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <new>
#include <string>
#include <unordered_set>

#include "arena/arena.hpp"
#include "arena/delta_table.hpp"
#include "atrium_words.hpp"
#include "check/caller.hpp"
#include "check/leaks.hpp"
#include "core/log.hpp"
#include "core/per_pe.hpp"
#include "team/nodes.hpp"
#include "team/world.hpp"
#include "topology/placement.hpp"

namespace atrium {
namespace {

std::mutex living_lock;

// Never destroyed (core/never_destroyed.hpp). Requires: the lock is held.
ATRIUM_PER_PE std::unordered_set<Team*>* all_living_teams = nullptr;

std::unordered_set<Team*>& living_teams() {
  if (!all_living_teams) all_living_teams = new std::unordered_set<Team*>;
  return *all_living_teams;
}

void (*destroy_hook)(Team&) = nullptr;

// A number of the world on a team's context is the usual slip: it finds AWAY as well, and the library says so. In jobs of more PEs
// than these one beyond them faults.
constexpr int most_slips = 1 << 16;
int entries_for(int members) { return std::max(members, std::min(placement.pes(), most_slips)); }

// My number in the new team, or -1.
int number_in(const TeamShape& shape, int parent_number) {
  const int distance = parent_number - shape.start;
  if (distance % shape.stride != 0) return -1;
  const int number = distance / shape.stride;
  return number >= 0 && number < shape.size ? number : -1;
}

size_t count_living_teams() {
  const std::lock_guard hold(living_lock);
  return living_teams().size();
}

Error out_of_memory() { return Error{"cannot make a team", "this process gets no more memory"}; }

}  // namespace

bool fits_into(const TeamShape& shape, int parent_size) {
  if (shape.size < 1 || shape.start < 0 || shape.start >= parent_size) return false;
  if (shape.stride == 0) return shape.size == 1;
  const int64_t last = shape.start + static_cast<int64_t>(shape.size - 1) * shape.stride;
  return last >= 0 && last < parent_size;
}

void TeamDeleter::operator()(Team* team) const {
  if (team->block) free_system(team->block);
  if (team->delta) destroy_delta_table(const_cast<ptrdiff_t*>(team->delta), entries_for(team->size));
  delete team;
}

// Where the numbers of its members follow each other, the world's serve.
bool give_system_deltas(Team& team) {
  if (team.spans_nodes) return true;
  if (arena.system_delta == arena.delta) {
    team.system_delta = team.delta;
  } else if (!team.listed && team.stride == 1) {
    team.system_delta = arena.system_delta + team.start;
  } else {
    auto* const table = new (std::nothrow) ptrdiff_t[static_cast<size_t>(team.size)];
    if (!table) return false;
    for (int member = 0; member < team.size; ++member)
      table[member] = arena.system_delta[team.world_pe(member)];
    team.own_system_delta.reset(table);
    team.system_delta = table;
  }
  return true;
}

Draft::Draft(Team& parent, const TeamShape& shape, const shmem_team_config_t& config) : shape_(shape) {
  if (shape_.size == 1)
    shape_.stride = 1;  // a stride of 0 is legal for one member, and nothing may divide by it
  const int me = number_in(shape_, parent.me);
  if (me < 0) return;
  team_.reset(new (std::nothrow) Team);
  if (!team_) {
    refusal_ = out_of_memory();
    return;
  }
  team_->me = me;
  team_->size = shape_.size;
  if (parent.listed) {
    team_->set_members(world_pes(parent));
  } else {
    team_->start = parent.world_pe(shape_.start);
    team_->stride = shape_.size == 1 ? 1 : parent.stride * shape_.stride;
  }
  team_->config = config;
  if (auto built = build(parent); !built) refusal_ = built.error();
}

std::vector<int> Draft::world_pes(const Team& parent) const {
  std::vector<int> pes;
  for (int member = 0; member < shape_.size; ++member) pes.push_back(parent.world_pe(parent_number(member)));
  return pes;
}

// What leaves room for another team.
static std::string remedy_for(size_t teams, size_t sets) {
  const std::string destroying = "shmem_team_destroy for teams that are no longer used",
                    fewer_sets =
                        "fewer different active sets, which stay for the whole job, or teams in their place, "
                        "which can be destroyed";
  if (sets == 0) return destroying;
  return teams == 0 ? fewer_sets : destroying + ", " + fewer_sets;
}

Error Draft::refusal(const std::string& what) const {
  const size_t teams = split_teams().size(), sets = count_living_teams() - teams;
  std::string living = counted(teams, "team"), remedy = remedy_for(teams, sets);
  if (sets > 0) living += " and " + counted(sets, "active set");
  if (!refusal_->remedy.empty()) remedy += ", or " + refusal_->remedy;
  return {"cannot make " + what, refusal_->because + "; the program has " + living, describe_caller(),
          remedy};
}

Result<void> Draft::build(Team& parent) {
  Result<ptrdiff_t*> table = create_delta_table(entries_for(shape_.size));
  if (!table) return table.error();
  int here = 0;
  for (const int pe : placement.pes_here()) {
    const int member = team_->member_of(pe);
    if (member < 0) continue;
    ++here;
    if (const ptrdiff_t delta = parent.delta[parent_number(member)]; is_here(delta)) (*table)[member] = delta;
  }
  team_->spans_nodes = here < shape_.size;
  team_->delta = *table;
  // The parent's table, where inlining is closed, is AWAY throughout and longer than this team needs.
  team_->inline_delta = parent.inline_delta == parent.delta ? team_->delta : parent.inline_delta;
  if (!give_system_deltas(*team_)) return out_of_memory();
  team_->nodes = lay_on_nodes(*team_);
  auto block = take_uncleared_system(block_bytes_of(*team_));
  if (!block) return block.error();
  team_->block = static_cast<TeamBlock*>(block->begin);
  if (team_->spans_nodes)  // with its hidden teams behind it
    std::memset(block->begin, 0, block->written);
  else
    clear_block(*team_->block, team_->size, block->written);
  return {};
}

int64_t Draft::offset_from(const void* base) const {
  if (!team_ || refusal_) return no_block;
  return reinterpret_cast<const char*>(&team_->my_block()) - static_cast<const char*>(base);
}

Team* Draft::complete() {
  connect_on_nodes(*team_);
  const std::lock_guard hold(living_lock);
  return *living_teams().insert(team_.release()).first;
}

void require_team(shmem_team_t handle) {
  if (handle == SHMEM_TEAM_WORLD || handle == SHMEM_TEAM_SHARED) return;
  const std::lock_guard hold(living_lock);
  if (!living_teams().count(handle)) refuse_team();
}

const Team* team_that_waits_at(const volatile void* address) {
  const auto lies_in_block_of = [place = reinterpret_cast<uintptr_t>(address)](const Team& team) {
    return team.size > 0 && place - reinterpret_cast<uintptr_t>(&team.my_block()) < block_bytes_of(team);
  };
  for (const Team* team : {&world_team, &shared_team})
    if (lies_in_block_of(*team)) return team;
  const std::lock_guard hold(living_lock);
  for (const Team* team : living_teams())
    if (lies_in_block_of(*team)) return team;
  return nullptr;
}

void on_team_destroy(void (*hook)(Team&)) { destroy_hook = hook; }

void run_destroy_hook(Team& team) {
  if (destroy_hook) destroy_hook(team);
}

void forget_team(Team& team) {
  forget_made(&team);
  run_destroy_hook(team);
  {
    const std::lock_guard hold(living_lock);
    living_teams().erase(&team);
  }
  TeamDeleter()(&team);
}

std::vector<Team*> split_teams() {
  const std::lock_guard hold(living_lock);
  std::vector<Team*> found;
  for (Team* team : living_teams())
    if (team->is_made_by_split) found.push_back(team);
  return found;
}

void hold_all_teams() { living_lock.lock(); }
void let_go_of_all_teams() { living_lock.unlock(); }

void disown_all_teams() {
  for (Team* team : living_teams()) {
    for (int member = 0; member < team->size; ++member)
      if (is_here(team->delta[member])) const_cast<ptrdiff_t*>(team->delta)[member] = ATRIUM_AWAY;
    team->size = 0;
  }
}

void forget_all_teams() {
  const std::lock_guard hold(living_lock);
  for (Team* team : living_teams()) {
    run_destroy_hook(*team);
    TeamDeleter()(team);
  }
  living_teams().clear();
}

}  // namespace atrium
