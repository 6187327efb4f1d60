// Collectives: the members of a group leave their clocks for each other, and take those that the data came from.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "interpose/openshmem.hpp"
#include "race/model/access.hpp"

namespace atrium::race {

// A team or an active set, as the model knows it.
struct Group {
  // Instead of a place, where none was left: such groups leave what they know in common. That orders more than they do, and
  // never less.
  static constexpr int in_common = meetings_per_pe;

  int leader = 0;    // the PE in whose room its members meet
  int meeting = -1;  // which of the places there; -1: this PE is no member
  int rank = 0, size = 0;
  int start = 0, stride = 1;  // members by number in the world, when they are regular
  const int* members = nullptr;
  uint64_t* collectives = nullptr;  // the number of its last one
  uint64_t first = 0;               // and of the one before its first

  bool has_place() const { return meeting >= 0 && meeting < in_common; }
  int member(int rank_of) const { return members ? members[rank_of] : start + rank_of * stride; }

  static Group of_team(shmem_team_t team);
  static Group of_set(int start, int log_stride, int size);
  static Group world();
};

// One collective: entered when made; merges what others have left.
class Meeting {
 public:
  Meeting(Strand& strand, const Group& group, Origin origin, uint64_t value = 0);
  ~Meeting();
  Meeting(const Meeting&) = delete;
  Meeting& operator=(const Meeting&) = delete;

  void hear(int rank);
  void hear_all();
  uint64_t value_of(int rank);  // 0: of a group without a place

 private:
  void leave_in_common();
  void take_what_is_common();
  Entry& entry_of(int rank) const;
  Entry& wait_for(int rank) const;
  Strand& strand_;
  Group group_;
  Origin origin_;
  uint64_t number_;
  bool heard_ = false;  // what is common
};

// Teams come and go.
void add_world_teams();
void add_team(shmem_team_t team, shmem_team_t parent);
void remove_team(shmem_team_t team);
void remove_all_teams();                // but the world's and the shared one
unsigned domain_of(shmem_team_t team);  // its atomicity domain: that of the predefined team it descends from

}  // namespace atrium::race
