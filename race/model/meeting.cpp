// Entries in the leader's room, by turns, so that a fast member does not overwrite what a slow one still reads.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/model/meeting.hpp"

#include <sched.h>
#include <time.h>

#include <algorithm>
#include <mutex>
#include <vector>

#include "interpose/library.hpp"
#include "interpose/say.hpp"

namespace atrium::race {
namespace {

struct Known {
  shmem_team_t team;      // null: an active set
  int start, log_stride;  // of an active set
  Group group;
  std::vector<int> members;
  uint64_t first, collectives;  // numbers of collectives; no two teams have the same
  unsigned domain;
};
// Those that are gone are left where they are: contexts have their members.
std::vector<Known*>& known = *new std::vector<Known*>;
SpinLock known_lock;
Group world_group;  // apart from them, because it is asked for at every barrier
uint64_t teams_led = 0;

int free_place(const Room& room, uint64_t key) {
  for (int i = 0; i < meetings_per_pe; ++i)
    if (room.meeting_key(i).word == 0) return room.meeting_key(i).word = key, i;
  interpose::say_once(
      "more teams and active sets of one PE at a time than the check tells apart (48): some races are not "
      "seen");
  return Group::in_common;
}

// For a team its leader asks, once.
int place_for_team(uint64_t key) {
  const Room& room = job.room[job.me];
  std::lock_guard guard(room.board().modules_lock);
  return free_place(room, key);
}

// For an active set all members ask, whoever comes first for all. When one has found none, no other set gets one that a
// team has left since: its members would not agree.
int place_for_set(int leader, uint64_t key) {
  const Room& room = job.room[leader];
  std::lock_guard guard(room.board().modules_lock);
  for (int i = 0; i < meetings_per_pe; ++i)
    if (room.meeting_key(i).word == key) return i;
  const int place = room.board().is_full ? Group::in_common : free_place(room, key);
  room.board().is_full = place == Group::in_common;
  return place;
}

Known& make_group(shmem_team_t team, int rank, int size, uint64_t key, int leader, int place) {
  auto* made = new Known{team, 0, 0, {}, {}, 0, 0, 0};
  made->collectives = made->first = key << 24;
  made->group = {leader, place, rank, size, 0, 1, nullptr, &made->collectives, made->first};
  return *made;
}

// Found by others from now on: nothing of it changes.
Group add(Known& made) {
  std::lock_guard guard(known_lock);
  known.push_back(&made);
  return made.group;
}

void name_members(Known& added) {
  for (int rank = 0; rank < added.group.size; ++rank)
    added.members.push_back(pshmem_team_translate_pe(added.team, rank, SHMEM_TEAM_WORLD));
  added.group.members = added.members.data();
}

void give_back_place(const Known& one) {
  const Group& group = one.group;
  if (group.rank == 0 && group.has_place()) job.room[group.leader].meeting_key(group.meeting).word = 0;
}

void nap(unsigned tries) {
  if (tries < 100) {
    sched_yield();
    return;
  }
  interpose::progress();
  const timespec moment{0, 50'000};
  nanosleep(&moment, nullptr);
}

constexpr uint64_t world_key = 1, shared_key = 2;

}  // namespace

// Each PE marks their places, the first two, as taken.
void add_world_teams() {
  job.room[0].meeting_key(0).word = world_key;
  job.room[0].meeting_key(1).word = shared_key;
  world_group = add(make_group(SHMEM_TEAM_WORLD, job.me, job.pes, world_key, 0, 0));
  if (SHMEM_TEAM_SHARED == SHMEM_TEAM_INVALID) return;
  Known& shared = make_group(SHMEM_TEAM_SHARED, pshmem_team_my_pe(SHMEM_TEAM_SHARED),
                             pshmem_team_n_pes(SHMEM_TEAM_SHARED), shared_key, 0, 1);
  name_members(shared);
  shared.domain = 1;
  add(shared);
}

// The team's first PE gives it a number and a place; the others read them between two syncs of the team.
void add_team(shmem_team_t team, shmem_team_t parent) {
  if (team == SHMEM_TEAM_INVALID) return;
  const int leader = pshmem_team_translate_pe(team, 0, SHMEM_TEAM_WORLD);
  const int rank = pshmem_team_my_pe(team);
  Board& board = job.room[leader].board();
  if (rank == 0) {
    board.announced.store(++teams_led + shared_key);
    board.place.store(place_for_team(teams_led + shared_key));
  }
  pshmem_team_sync(team);
  const uint64_t number = board.announced.load();
  const int place = board.place.load();
  pshmem_team_sync(team);
  Known& made = make_group(team, rank, pshmem_team_n_pes(team), number, leader, place);
  name_members(made);
  made.domain = domain_of(parent);
  add(made);
}

// All members have left its last collective, so its place may be used again.
void remove_team(shmem_team_t team) {
  if (team == SHMEM_TEAM_INVALID) return;
  pshmem_team_sync(team);
  std::lock_guard guard(known_lock);
  const auto found = std::find_if(known.begin(), known.end(), [&](Known* one) { return one->team == team; });
  if (found == known.end()) return;
  give_back_place(**found);
  known.erase(found);
}

// Active sets are no objects: they go on.
void remove_all_teams() {
  std::lock_guard guard(known_lock);
  std::erase_if(known, [](const Known* one) {
    const bool ends = one->team && one->team != SHMEM_TEAM_WORLD && one->team != SHMEM_TEAM_SHARED;
    if (ends) give_back_place(*one);
    return ends;
  });
}

unsigned domain_of(shmem_team_t team) {
  std::lock_guard guard(known_lock);
  for (const Known* one : known)
    if (one->team == team) return one->domain;
  return 0;
}

Group Group::world() { return world_group; }

Group Group::of_team(shmem_team_t team) {
  if (!working) return {};
  std::lock_guard guard(known_lock);
  for (const Known* one : known)
    if (one->team == team) return one->group;
  return {};
}

Group Group::of_set(int start, int log_stride, int size) {
  if (!working) return {};
  const int stride = 1 << log_stride;
  {
    std::lock_guard guard(known_lock);
    for (const Known* one : known)
      if (!one->team && one->start == start && one->log_stride == log_stride && one->group.size == size)
        return one->group;
  }
  const uint64_t key =
      uint64_t{1} << 39 | static_cast<uint64_t>(log_stride) << 32 | static_cast<uint64_t>(size);
  Known& made = make_group(nullptr, (job.me - start) / stride, size, key, start, place_for_set(start, key));
  made.start = made.group.start = start;
  made.log_stride = log_stride;
  made.group.stride = stride;
  return add(made);
}

Entry& Meeting::entry_of(int rank) const {
  return job.room[group_.leader].entry(group_.meeting, number_, rank);
}

// Nobody may still read what is overwritten: all have left the collective that used this entry before.
Meeting::Meeting(Strand& strand, const Group& group, Origin origin, uint64_t value)
    : strand_(strand), group_(group), origin_(origin), number_(0) {
  if (!group_.has_place()) {
    leave_in_common();
    return;
  }
  number_ = ++*group_.collectives;
  for (int rank = 0; number_ > group.first + meeting_depth && rank < group_.size; ++rank)
    for (unsigned tries = 0; !entry_of(rank).turn.was_left_before(number_); ++tries) nap(tries);
  Entry& mine = entry_of(group_.rank);
  mine.clock.copy(*strand_.clock, lanes_used());
  mine.value = value;
  mine.origin = origin.word();
  mine.turn.enter(number_);
  strand_.advance();
}

// Before the routine runs, and what others have left is taken when it has run: they have entered.
void Meeting::leave_in_common() {
  Common& common = job.room[group_.leader].common();
  {
    std::lock_guard guard(common.lock);
    common.clock.merge(*strand_.clock, lanes_used());
  }
  strand_.advance();
}

void Meeting::take_what_is_common() {
  if (heard_) return;
  heard_ = true;
  Common& common = job.room[group_.leader].common();
  std::lock_guard guard(common.lock);
  merge_into(strand_, common.clock, origin_.word());
}

Meeting::~Meeting() {
  forget_completed(strand_);
  if (!group_.has_place()) return;
  // Each entry of a rank says when that rank left: the one that it used in this collective.
  entry_of(group_.rank).turn.leave(number_);
}

// Whoever the data came from has entered.
Entry& Meeting::wait_for(int rank) const {
  Entry& entry = entry_of(rank);
  for (unsigned tries = 0; !entry.turn.is_entered(number_); ++tries) nap(tries);
  return entry;
}

void Meeting::hear(int rank) {
  if (rank == group_.rank) return;
  if (!group_.has_place()) return take_what_is_common();
  merge_into(strand_, wait_for(rank).clock, origin_.word());
}

void Meeting::hear_all() {
  for (int rank = 0; rank < group_.size; ++rank) hear(rank);
}

uint64_t Meeting::value_of(int rank) { return group_.has_place() ? wait_for(rank).value : 0; }

}  // namespace atrium::race
