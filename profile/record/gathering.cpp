// The members of a team find each other's arrivals in the sheet by the team's members and how many such teams there were.
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/record/gathering.hpp"

#include <deque>
#include <map>
#include <mutex>
#include <vector>

namespace atrium::profile {

struct Team {
  std::vector<int> members;
  int rank = 0;
  unsigned place = 0;  // of this PE's gathering in its page
  uint64_t key = 0;
  std::vector<Gathering*> theirs;  // found when they are first looked at
};

namespace {

std::mutex lock;  // of the tables
std::map<shmem_team_t, Team*>& teams = *new std::map<shmem_team_t, Team*>;
std::map<std::vector<int>, std::pair<uint64_t, Team*>>& by_members =
    *new std::map<std::vector<int>, std::pair<uint64_t, Team*>>;  // with how many there have been
Team* world_team = nullptr;
// Of all teams, to the end: a thread may be in a call of one that is gone.
std::deque<Team>& records = *new std::deque<Team>;

// The gathering of that key in a page, or the free one where it belongs; null: none is left.
Gathering* find_gathering(Page& page, uint64_t key) {
  for (unsigned probe = 0; probe < most_gatherings; ++probe) {
    Gathering& one = page.gathering_of[(key / 2 + probe) % most_gatherings];
    const uint64_t found = one.key.load(std::memory_order_acquire);  // SYNC gathering
    if (found == key || found == 0) return &one;
  }
  return nullptr;
}

Team* make_team(std::vector<int> members, uint64_t incarnation) {
  const uint64_t key = gathering_key(members, incarnation);
  Gathering* const mine = find_gathering(*recorder.page, key);
  if (!mine) return nullptr;
  Team* const team = &records.emplace_back();
  for (size_t rank = 0; rank < members.size(); ++rank)
    if (members[rank] == recorder.me) team->rank = static_cast<int>(rank);
  team->key = key;
  team->place = static_cast<unsigned>(mine - recorder.page->gathering_of);
  team->theirs.resize(members.size());
  mine->first.store(members.empty() ? 0 : members[0], std::memory_order_relaxed);
  mine->size.store(static_cast<int>(members.size()), std::memory_order_relaxed);
  mine->key.store(key, std::memory_order_release);  // SYNC gathering
  team->members = std::move(members);
  return team;
}

Gathering& mine(const Team& team) { return recorder.page->gathering_of[team.place]; }

// When a member came to that collective; 0: not yet, or nobody knows.
uint64_t arrival_of(Team& team, int rank, uint64_t number) {
  const auto index = static_cast<size_t>(rank);
  if (!team.theirs[index]) {
    Gathering* const found = find_gathering(recorder.sheet.page(team.members[index]), team.key);
    if (!found || found->key.load(std::memory_order_relaxed) != team.key) return 0;
    team.theirs[index] = found;
  }
  const Gathering::Arrival& arrival = team.theirs[index]->arrival[number % Gathering::kept];
  if (arrival.number.load(std::memory_order_acquire) != number) return 0;  // SYNC arrival
  return arrival.ticks.load(std::memory_order_relaxed);
}

void book_late(unsigned line, int pe, uint64_t times, uint64_t waited) {
  const uint64_t key = (static_cast<uint64_t>(line) << 32 | static_cast<uint32_t>(pe)) + 1;
  for (unsigned probe = 0; probe < 64; ++probe) {
    Late& late = recorder.page->late[((key * 0x9e3779b97f4a7c15 >> 40) + probe) % most_lates];
    uint64_t found = 0;
    if (!late.key.compare_exchange_strong(found, key) && found != key) continue;
    late.times.add(times, recorder.shared);
    late.waited.add(waited, recorder.shared);
    return;
  }
  recorder.page->lost_lates.add(1, recorder.shared);
}

// Of the members up to `end`, who came last, and how long all of them waited for it.
struct Last {
  int rank = -1;
  uint64_t ticks = 0, sum = 0, count = 0;

  uint64_t waited_by_all() const { return ticks * count - sum; }
};
Last last_of(Team& team, int end, uint64_t number) {
  Last last;
  for (int rank = 0; rank < end; ++rank) {
    const uint64_t ticks = arrival_of(team, rank, number);
    if (ticks == 0) continue;
    last.sum += ticks;
    ++last.count;
    if (ticks > last.ticks) last.ticks = ticks, last.rank = rank;
  }
  return last;
}

uint64_t after(uint64_t later, uint64_t earlier) { return later > earlier ? later - earlier : 0; }

}  // namespace

Group Group::of_team(shmem_team_t team) {
  if (!present) return {};
  if (team == SHMEM_TEAM_WORLD) return {world_team};
  const std::lock_guard guard(lock);
  const auto found = teams.find(team);
  return {found == teams.end() ? nullptr : found->second};
}

Group Group::of_set(int start, int log_stride, int size) {
  if (!present || size <= 0 || log_stride < 0) return {};
  std::vector<int> members;
  for (int i = 0; i < size; ++i) members.push_back(start + (i << log_stride));
  const std::lock_guard guard(lock);
  auto& [incarnation, team] = by_members[members];
  if (!team) team = make_team(std::move(members), incarnation++);
  return {team};
}

int members_of_group(const Group& group) {
  return group.team ? static_cast<int>(group.team->members.size()) : 1;
}

// The number is counted even while nothing is recorded, so that all members count alike.
Gathered::Gathered(Call& call, const Group& group, DataFlow flow, int root)
    : call_(call), team_(group.team), flow_(flow), root_(root) {
  if (!team_) return;
  Gathering& here = mine(*team_);
  number_ = here.number.load(std::memory_order_relaxed) + 1;
  came_ = call.open() ? call.begun() : now();
  Gathering::Arrival& arrival = here.arrival[number_ % Gathering::kept];
  arrival.ticks.store(came_, std::memory_order_relaxed);
  arrival.number.store(number_, std::memory_order_release);  // SYNC arrival
  here.number.store(number_, std::memory_order_relaxed);
  const bool rooted =
      flow == DataFlow::from_root && root >= 0 && root < static_cast<int>(team_->members.size());
  if (call.open()) call.in(team_->place, number_, rooted ? team_->members[static_cast<size_t>(root)] : -1);
}

// One member, another one each time, books for all.
Gathered::~Gathered() {
  if (!team_ || !call_.open()) return;
  Team& team = *team_;
  const int size = static_cast<int>(team.members.size());
  if (flow_ == DataFlow::from_root) {
    const uint64_t root = arrival_of(team, root_, number_);
    const uint64_t waited = root == 0 ? 0 : after(root, came_);
    call_.waited(waited);
    if (waited != 0)
      book_late(call_.line(), team.members[static_cast<size_t>(root_)], team.rank == (root_ + 1) % size,
                waited);
    return;
  }
  const Last last = last_of(team, flow_ == DataFlow::lower ? team.rank + 1 : size, number_);
  if (last.rank < 0) {
    recorder.page->unmatched.add(1, recorder.shared);
    return;
  }
  call_.waited(after(last.ticks, came_));
  const int booking =
      flow_ == DataFlow::lower ? size - 1 : static_cast<int>(number_ % static_cast<uint64_t>(size));
  if (team.rank == booking && size > 1)
    book_late(call_.line(), team.members[static_cast<size_t>(last.rank)], 1, last.waited_by_all());
}

void add_team(shmem_team_t team) {
  if (team == SHMEM_TEAM_INVALID) return;
  std::vector<int> members = members_of(team);
  const std::lock_guard guard(lock);
  const uint64_t incarnation = by_members[members].first++;
  Team* const made = make_team(std::move(members), incarnation);
  teams[team] = made;
  if (team == SHMEM_TEAM_WORLD) world_team = made;
}

void remove_team(shmem_team_t team) {
  const std::lock_guard guard(lock);
  teams.erase(team);
}

void forget_teams() {
  const std::lock_guard guard(lock);
  teams.clear();
  world_team = nullptr;
}

}  // namespace atrium::profile
