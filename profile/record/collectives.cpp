// Finds a team's arrivals in the record buffer: by the members of the team, and by how many teams of these members there were before.
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/record/collectives.hpp"

#include <map>
#include <mutex>
#include <vector>

namespace atrium::profile {

// What the profiler knows of a group (PeGroup::of_tool).
struct ProfiledTeam {
  const interpose::PeGroup& group;
  unsigned place;  // of this PE's arrivals in its page
  uint64_t key;
  std::vector<TeamArrivals*> theirs;  // found when they are first looked at

  const std::vector<int>& members() const { return group.members; }
};

namespace {

std::mutex lock;
std::map<std::vector<int>, uint64_t>& times =
    *new std::map<std::vector<int>, uint64_t>;  // that these came together

// The arrivals at the team of that key in a page, or the free place where they belong; null: none is left.
TeamArrivals* find_arrivals(Page& page, uint64_t key) {
  for (unsigned probe = 0; probe < most_teams; ++probe) {
    TeamArrivals& one = page.arrivals_of[(key / 2 + probe) % most_teams];
    const uint64_t found = one.key.load(std::memory_order_acquire);  // SYNC team-arrivals
    if (found == key || found == 0) return &one;
  }
  return nullptr;
}

// Null: there is no room.
ProfiledTeam* make_team(const interpose::PeGroup& group, uint64_t incarnation) {
  const uint64_t key = team_key(group.members, incarnation);
  TeamArrivals* const mine = find_arrivals(*recorder.page, key);
  if (!mine) return nullptr;
  mine->first.store(group.members[0], std::memory_order_relaxed);
  mine->size.store(group.size(), std::memory_order_relaxed);
  mine->key.store(key, std::memory_order_release);  // SYNC team-arrivals
  const auto place = static_cast<unsigned>(mine - recorder.page->arrivals_of);
  return new ProfiledTeam{group, place, key, std::vector<TeamArrivals*>(group.members.size())};
}

TeamArrivals& mine(const ProfiledTeam& team) { return recorder.page->arrivals_of[team.place]; }

// When a member came to that collective; 0: not yet, or it is unknown.
uint64_t arrival_of(ProfiledTeam& team, int rank, uint64_t number) {
  const auto index = static_cast<size_t>(rank);
  if (!team.theirs[index]) {
    TeamArrivals* const found = find_arrivals(recorder.buffer.page(team.members()[index]), team.key);
    if (!found || found->key.load(std::memory_order_relaxed) != team.key) return 0;
    team.theirs[index] = found;
  }
  const TeamArrivals::Arrival& arrival = team.theirs[index]->arrival[number % TeamArrivals::kept];
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
struct LastArrival {
  int rank = -1;
  uint64_t ticks = 0, sum = 0, count = 0;

  uint64_t waited_by_all() const { return ticks * count - sum; }
};
LastArrival last_of(ProfiledTeam& team, int end, uint64_t number) {
  LastArrival last;
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

// The number is counted even while nothing is recorded, so that all members count alike.
RecordedCollective::RecordedCollective(Call& call, const interpose::PeGroup& group, DataFlow flow, int root)
    : call_(call), team_(static_cast<ProfiledTeam*>(group.of_tool)), flow_(flow), root_(root) {
  if (!team_) return;
  TeamArrivals& here = mine(*team_);
  number_ = here.number.load(std::memory_order_relaxed) + 1;
  came_ = call.open() ? call.begun() : now();
  TeamArrivals::Arrival& arrival = here.arrival[number_ % TeamArrivals::kept];
  arrival.ticks.store(came_, std::memory_order_relaxed);
  arrival.number.store(number_, std::memory_order_release);  // SYNC arrival
  here.number.store(number_, std::memory_order_relaxed);
  const bool rooted =
      flow == DataFlow::from_root && root >= 0 && root < static_cast<int>(team_->members().size());
  if (call.open()) call.in(team_->place, number_, rooted ? team_->members()[static_cast<size_t>(root)] : -1);
}

// One member, another one each time, books for all.
RecordedCollective::~RecordedCollective() {
  if (!team_ || !call_.open()) return;
  ProfiledTeam& team = *team_;
  const int size = static_cast<int>(team.members().size());
  if (flow_ == DataFlow::from_root) {
    const uint64_t root = arrival_of(team, root_, number_);
    const uint64_t waited = root == 0 ? 0 : after(root, came_);
    call_.waited(waited);
    if (waited != 0)
      book_late(call_.line(), team.members()[static_cast<size_t>(root_)],
                team.group.rank == (root_ + 1) % size, waited);
    return;
  }
  const LastArrival last = last_of(team, flow_ == DataFlow::lower ? team.group.rank + 1 : size, number_);
  if (last.rank < 0) {
    recorder.page->unmatched.add(1, recorder.shared);
    return;
  }
  call_.waited(after(last.ticks, came_));
  const int booking =
      flow_ == DataFlow::lower ? size - 1 : static_cast<int>(number_ % static_cast<uint64_t>(size));
  if (team.group.rank == booking && size > 1)
    book_late(call_.line(), team.members()[static_cast<size_t>(last.rank)], 1, last.waited_by_all());
}

}  // namespace atrium::profile

namespace atrium::interpose {

void group_begins(PeGroup& group) {
  const std::lock_guard guard(profile::lock);
  group.of_tool = profile::make_team(group, profile::times[group.members]++);
}

}  // namespace atrium::interpose
