// Builds the graph of waits. An edge leads to each member of the team that has not arrived, to the PE before this one in a lock's
// queue, or to the only other PE.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/report/wait_graph.hpp"

#include <algorithm>

#include "core/number_list.hpp"

namespace atrium {
namespace {

// Of many that have not come, some are enough for a cycle.
constexpr size_t most_edges = 8;

std::vector<int> path_back(const std::map<int, int>& came_from, int last) {
  std::vector<int> path{last};
  for (auto at = came_from.find(last); at != came_from.end() && at->second >= 0;
       at = came_from.find(at->second))
    path.push_back(at->second);
  std::reverse(path.begin(), path.end());
  return path;
}

std::vector<int> cycle_through(const std::map<int, std::vector<int>>& edges, int start) {
  std::map<int, int> came_from{{start, -1}};
  for (std::vector<int> front{start}; !front.empty();) {
    std::vector<int> next;
    for (const int pe : front) {
      for (const int other : edges.at(pe)) {
        if (other == start) return path_back(came_from, pe);
        if (edges.count(other) != 0 && came_from.emplace(other, pe).second) next.push_back(other);
      }
    }
    front = std::move(next);
  }
  return {};
}

}  // namespace

bool is_same_team(const PublishedWait& a, const PublishedWait& b) {
  return a.details.team_first >= 0 && a.details.team_first == b.details.team_first &&
         a.details.team_place == b.details.team_place;
}

std::vector<int> members_of_team(const PublishedWait& wait) {
  if (wait.details.members[0] == '\0') return {};
  return parse_number_list(wait.details.members).value_or(std::vector<int>{});
}

std::vector<int> whom_it_waits_for(const WaitsOfPes& waits, int pe) {
  const PublishedWait& mine = waits.at(pe);
  if (mine.polls) return {};
  if (mine.details.pe >= 0) return {mine.details.pe};
  std::vector<int> whom;
  if (is_collective(mine)) {
    for (const int member : members_of_team(mine)) {
      const auto other = waits.find(member);
      const bool has_come =
          other != waits.end() && is_collective(other->second) && may_be_same_team(mine, other->second);
      if (!has_come) whom.push_back(member);
    }
  } else if (waits.size() == 2 && kind_of(mine) != WaitKind::lock) {
    for (const auto& [other, wait] : waits)
      if (other != pe) whom.push_back(other);
  }
  return whom;
}

std::vector<int> find_cycle(const WaitsOfPes& waits) {
  std::map<int, std::vector<int>> edges;
  for (const auto& [pe, wait] : waits) {
    std::vector<int> whom = whom_it_waits_for(waits, pe);
    whom.resize(std::min(whom.size(), most_edges));
    edges.emplace(pe, std::move(whom));
  }
  std::vector<int> shortest;
  for (const auto& [pe, wait] : waits) {
    const std::vector<int> cycle = cycle_through(edges, pe);
    if (!cycle.empty() && (shortest.empty() || cycle.size() < shortest.size())) shortest = cycle;
    if (shortest.size() == 1 || (shortest.size() == 2 && waits.size() > 64)) break;
  }
  return shortest;
}

}  // namespace atrium
