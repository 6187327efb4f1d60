// Collectives: entries in the leader's shared memory, used by turns, so that a fast member does not overwrite what a slow one
// still reads.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/openshmem/meeting.hpp"

#include <algorithm>
#include <mutex>

#include "atrium_waiting.h"
#include "interpose/library.hpp"
#include "interpose/say.hpp"

namespace atrium::race {
namespace {

uint64_t teams_led = 0;

int free_place(const SharedMemory& shared, uint64_t key) {
  for (int i = 0; i < meetings_per_pe; ++i)
    if (shared.meeting_key(i).word == 0) return shared.meeting_key(i).word = key, i;
  interpose::say_once(
      "more teams and active sets of one PE at a time than the check tells apart (48): some races are not "
      "seen");
  return MeetingPlace::in_common;
}

// For a team its leader asks, once.
int place_for_team(uint64_t key) {
  const SharedMemory& shared = job.shared[job.me];
  std::lock_guard guard(shared.board().places_lock);
  return free_place(shared, key);
}

// The first member of an active set that asks takes the place, for all of them. Once a set has found none, no later set gets
// one that a team gives back: the members of the first set would not agree on it.
int place_for_set(int leader, uint64_t key) {
  const SharedMemory& shared = job.shared[leader];
  std::lock_guard guard(shared.board().places_lock);
  for (int i = 0; i < meetings_per_pe; ++i)
    if (shared.meeting_key(i).word == key) return i;
  const int place = shared.board().is_full ? MeetingPlace::in_common : free_place(shared, key);
  shared.board().is_full = place == MeetingPlace::in_common;
  return place;
}

void meet(PeGroup& group, uint64_t key, int leader, int index) {
  group.of_tool = new MeetingPlace{leader, index, key << 24, key << 24};
}

// Until others have done their part; they may wait for what they have asked of this PE.
template <class Done>
void wait_until(Done done) {
  for (atrium_waiting waiting{}; !done();)
    if (atrium_give_way(&waiting)) interpose::progress();
}

constexpr uint64_t world_key = 1, shared_key = 2;

// Each PE marks their places, the first two, as taken.
void begin_predefined(PeGroup& team) {
  const bool is_world = team.team == SHMEM_TEAM_WORLD;
  const int index = is_world ? 0 : 1;
  const uint64_t key = is_world ? world_key : shared_key;
  job.shared[0].meeting_key(index).word = key;
  meet(team, key, 0, index);
}

// The team's first PE gives it a number and a place; the others read them between two syncs of the team.
void begin_team(PeGroup& team) {
  const int leader = team.members[0];
  Board& board = job.shared[leader].board();
  if (team.rank == 0) {
    board.announced.store(++teams_led + shared_key);
    board.place.store(place_for_team(teams_led + shared_key));
  }
  pshmem_team_sync(team.team);
  const uint64_t number = board.announced.load();
  const int index = board.place.load();
  pshmem_team_sync(team.team);
  meet(team, number, leader, index);
}

void begin_set(PeGroup& group) {
  const uint64_t key = uint64_t{1} << 39 | static_cast<uint64_t>(group.set.log_stride) << 32 |
                       static_cast<uint64_t>(group.set.size);
  meet(group, key, group.set.start, place_for_set(group.set.start, key));
}

MeetingPlace& place_of(const PeGroup& group) { return *static_cast<MeetingPlace*>(group.of_tool); }

}  // namespace
}  // namespace atrium::race

namespace atrium::interpose {

using namespace race;

void group_begins(PeGroup& group) {
  if (group.set.size != 0)
    begin_set(group);
  else if (group.team == group.ancestor)
    begin_predefined(group);
  else
    begin_team(group);
}

// All members have left its last collective, so its place may be used again.
void group_ends(PeGroup& group) {
  const MeetingPlace& place = place_of(group);
  if (group.rank == 0 && place.is_its_own()) job.shared[place.leader].meeting_key(place.index).word = 0;
}

}  // namespace atrium::interpose

namespace atrium::race {

Entry& Meeting::entry_of(int rank) const {
  return job.shared[place_.leader].entry(place_.index, number_, rank);
}

// Overwrites the entry's last contents, which no member still reads: all have left the collective that used it before.
Meeting::Meeting(Strand& strand, const PeGroup& group, Origin origin, uint64_t value)
    : strand_(strand), group_(group), place_(place_of(group)), origin_(origin) {
  if (!place_.is_its_own()) {
    leave_in_common();
    return;
  }
  number_ = ++place_.last;
  for (int rank = 0; number_ > place_.first + meeting_depth && rank < group_.size(); ++rank)
    wait_until([&] { return entry_of(rank).turn.was_left_before(number_); });
  Entry& mine = entry_of(group_.rank);
  mine.clock.copy(*strand_.clock, lanes_used());
  mine.value = value;
  mine.origin = origin.word();
  mine.turn.enter(number_);
  strand_.advance();
}

// Before the routine runs, and what others have left is taken when it has run: they have entered.
void Meeting::leave_in_common() {
  Common& common = job.shared[place_.leader].common();
  {
    std::lock_guard guard(common.lock);
    common.clock.merge(*strand_.clock, lanes_used());
  }
  strand_.advance();
}

void Meeting::take_what_is_common() {
  if (learned_) return;
  learned_ = true;
  Common& common = job.shared[place_.leader].common();
  std::lock_guard guard(common.lock);
  merge_into(strand_, common.clock, origin_.word());
}

Meeting::~Meeting() {
  forget_completed(strand_);
  if (!place_.is_its_own()) return;
  // Each entry of a rank says when that rank left: the one that it used in this collective.
  entry_of(group_.rank).turn.leave(number_);
}

// Short, since the data has come from that member: it has entered.
Entry& Meeting::wait_for(int rank) const {
  Entry& entry = entry_of(rank);
  wait_until([&] { return entry.turn.is_entered(number_); });
  return entry;
}

void Meeting::merge(int rank) {
  if (rank == group_.rank) return;
  if (!place_.is_its_own()) return take_what_is_common();
  merge_into(strand_, wait_for(rank).clock, origin_.word());
}

void Meeting::learn_from_all() {
  for (int rank = 0; rank < group_.size(); ++rank) merge(rank);
}

uint64_t Meeting::value_of(int rank) { return place_.is_its_own() ? wait_for(rank).value : 0; }

}  // namespace atrium::race
