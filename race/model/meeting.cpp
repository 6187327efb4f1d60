// Entries in the leader's room, by turns, so that a fast member does not overwrite what a slow one still reads.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/model/meeting.hpp"

#include <sched.h>
#include <time.h>

#include <algorithm>
#include <mutex>
#include <vector>

#include "interpose/library.hpp"
#include "race/report/say.hpp"

namespace atrium::race {
namespace {

struct Known {
  shmem_team_t team;      // null: an active set
  int start, log_stride;  // of an active set
  Group group;
  std::vector<int> members;
  uint64_t first, collectives;  // numbers of collectives; no two teams have the same
  unsigned domain;
  bool alive;
};
std::vector<Known*>& known = *new std::vector<Known*>;
SpinLock known_lock;
uint64_t teams_led = 0;

// A place in the leader's room for this key; whoever comes first takes it.
int place_for(int leader, uint64_t key) {
  const Room& room = job.room[leader];
  std::lock_guard guard(room.board().modules_lock);
  for (int i = 0; i < meetings_per_pe; ++i)
    if (room.meeting_key(i).word == key) return i;
  for (int i = 0; i < meetings_per_pe; ++i)
    if (room.meeting_key(i).word == 0) return room.meeting_key(i).word = key, i;
  say_once("more teams at a time than the check tells apart (48): what they order is not seen");
  return -1;
}

Known& add_group(shmem_team_t team, int rank, int size, uint64_t key, int leader) {
  auto* added = new Known{team, 0, 0, {}, {}, 0, 0, 0, true};
  added->collectives = added->first = key << 24;
  added->group = {leader,  place_for(leader, key), rank,        size, 0, 1,
                  nullptr, &added->collectives,    added->first};
  std::lock_guard guard(known_lock);
  known.push_back(added);
  return *added;
}

void name_members(Known& added) {
  for (int rank = 0; rank < added.group.size; ++rank)
    added.members.push_back(pshmem_team_translate_pe(added.team, rank, SHMEM_TEAM_WORLD));
  added.group.members = added.members.data();
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

void add_world_teams() {
  Known& world = add_group(SHMEM_TEAM_WORLD, job.me, job.pes, world_key, 0);
  world.domain = 0;
  if (SHMEM_TEAM_SHARED == SHMEM_TEAM_INVALID) return;
  Known& shared = add_group(SHMEM_TEAM_SHARED, pshmem_team_my_pe(SHMEM_TEAM_SHARED),
                            pshmem_team_n_pes(SHMEM_TEAM_SHARED), shared_key, 0);
  name_members(shared);
  shared.domain = 1;
}

// The team's first PE gives it a number; the others read it between two syncs of the team.
void add_team(shmem_team_t team) {
  if (team == SHMEM_TEAM_INVALID) return;
  const int leader = pshmem_team_translate_pe(team, 0, SHMEM_TEAM_WORLD);
  const int rank = pshmem_team_my_pe(team);
  if (rank == 0) job.room[job.me].board().announced.store(++teams_led + 2);
  pshmem_team_sync(team);
  const uint64_t number = job.room[leader].board().announced.load();
  pshmem_team_sync(team);
  Known& added = add_group(team, rank, pshmem_team_n_pes(team), number, leader);
  name_members(added);
  added.domain = 2 + (number + static_cast<uint64_t>(leader)) % 2;
}

// All members have left its last collective, so its place may be used again.
void remove_team(shmem_team_t team) {
  if (team == SHMEM_TEAM_INVALID) return;
  pshmem_team_sync(team);
  std::lock_guard guard(known_lock);
  for (Known* one : known) {
    if (one->team != team || !one->alive) continue;
    one->alive = false;
    if (one->group.rank == 0 && one->group.meeting >= 0)
      job.room[one->group.leader].meeting_key(one->group.meeting).word = 0;
  }
}

unsigned domain_of(shmem_team_t team) {
  std::lock_guard guard(known_lock);
  for (const Known* one : known)
    if (one->alive && one->team == team) return one->domain;
  return 0;
}

Group Group::world() { return known.front()->group; }

Group Group::of_team(shmem_team_t team) {
  if (!working) return {};
  std::lock_guard guard(known_lock);
  for (const Known* one : known)
    if (one->alive && one->team == team) return one->group;
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
  Known& added = add_group(nullptr, (job.me - start) / stride, size, key, start);
  added.start = added.group.start = start;
  added.log_stride = log_stride;
  added.group.stride = stride;
  return added.group;
}

Entry& Meeting::entry_of(int rank) const {
  return job.room[group_.leader].entry(group_.meeting, number_, rank);
}

// Nobody may still read what is overwritten: all have left the collective that used this entry before.
Meeting::Meeting(Strand& strand, const Group& group, Origin origin, uint64_t value)
    : strand_(strand), group_(group), origin_(origin), number_(0) {
  if (!valid()) return;
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

Meeting::~Meeting() {
  if (!valid()) return;
  forget_completed(strand_);
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
  if (!valid() || rank == group_.rank) return;
  merge_into(strand_, wait_for(rank).clock, origin_.word());
}

void Meeting::hear_all() {
  for (int rank = 0; rank < group_.size; ++rank) hear(rank);
}

uint64_t Meeting::value_of(int rank) { return valid() ? wait_for(rank).value : 0; }

}  // namespace atrium::race
