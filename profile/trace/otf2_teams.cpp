// Recognizes a team by the pages that have arrivals with its key.
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/trace/otf2_teams.hpp"

#include <algorithm>
#include <numeric>

namespace atrium::profile {
namespace {

std::string name_of_team(const std::vector<int>& members) {
  return "team of " + std::to_string(members.size()) + " PEs from PE " + std::to_string(members.front());
}

}  // namespace

Otf2Teams::Otf2Teams(const TimeLine& line) : line_(line) {
  find_teams();
  count_collectives();
}

// Those that have no collective need no name.
void Otf2Teams::find_teams() {
  std::vector<int> all(static_cast<size_t>(line_.pes()));
  std::iota(all.begin(), all.end(), 0);
  teams_.push_back({all, "SHMEM_TEAM_WORLD"});
  by_key_[team_key(all, 0)] = {all, static_cast<int>(all.size()), 0};
  for (int pe = 0; pe < line_.pes(); ++pe)
    for (const TeamArrivals& one : line_.buffer().page(pe).arrivals_of) {
      const uint64_t key = one.key.load(std::memory_order_acquire);  // SYNC team-arrivals
      if (key == 0) continue;
      const auto [found, added] = by_key_.try_emplace(key);
      if (found->second.number == 0) continue;
      found->second.size = one.size;
      found->second.members.push_back(pe);
    }
}

// UINT32_MAX: a member's page is not there.
uint32_t Otf2Teams::team_of(uint64_t key) {
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) return UINT32_MAX;
  Found& team = found->second;
  if (team.number != UINT32_MAX || team.size != static_cast<int>(team.members.size())) return team.number;
  team.number = static_cast<uint32_t>(teams_.size());
  teams_.push_back({team.members, name_of_team(team.members)});
  return team.number;
}

Otf2Teams::Number Otf2Teams::number_of(int pe, const Event& event) const {
  const unsigned arrivals = arrivals_of_collective(event.place);
  if (arrivals >= most_teams) return {};
  return {line_.buffer().page(pe).arrivals_of[arrivals].key, number_of_collective(event.place)};
}

void Otf2Teams::count_collectives() {
  for (int pe = 0; pe < line_.pes(); ++pe)
    for (const Event* event : line_.events_of(pe)) {
      if (event->kind != EventKind::collective || event->unfinished) continue;
      const Number number = number_of(pe, *event);
      const uint32_t team = team_of(number.first);
      if (team == UINT32_MAX) continue;
      Collective& one = collectives_[number];
      one.team = team;
      one.bytes += event->bytes;
      ++one.came;
      const std::vector<int>& members = teams_[one.team].members;
      const auto root = std::find(members.begin(), members.end(), event->pe);
      if (root != members.end()) one.root = static_cast<uint32_t>(root - members.begin());
    }
}

const Otf2Teams::Collective* Otf2Teams::find(const Happening& one) const {
  if (one.kind != EventKind::collective) return nullptr;
  const auto found = collectives_.find(number_of(one.pe, *one.event));
  if (found == collectives_.end()) return nullptr;
  return found->second.came == teams_[found->second.team].members.size() ? &found->second : nullptr;
}

}  // namespace atrium::profile
