// Collectives: the members of a group leave their clocks for each other, and take those that the data came from.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "interpose/openshmem.hpp"
#include "race/model/access.hpp"

namespace atrium::race {

// A team or an active set, as the model knows it.
struct Group {
  int leader = 0;    // the PE in whose room its members meet
  int meeting = -1;  // which of the places there; -1: this PE is no member, or there is no place left
  int rank = 0, size = 0;
  int start = 0, stride = 1;  // members by number in the world, when they are regular
  const int* members = nullptr;
  uint64_t* collectives = nullptr;  // the number of its last one
  uint64_t first = 0;               // and of the one before its first

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
  uint64_t value_of(int rank);
  bool valid() const { return group_.meeting >= 0; }

 private:
  Entry& entry_of(int rank) const;
  Entry& wait_for(int rank) const;
  Strand& strand_;
  Group group_;
  Origin origin_;
  uint64_t number_;
};

// Teams come and go.
void add_world_teams();
void add_team(shmem_team_t team);
void remove_team(shmem_team_t team);
unsigned domain_of(shmem_team_t team);

}  // namespace atrium::race
