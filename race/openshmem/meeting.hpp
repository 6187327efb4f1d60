// Collectives: the members of a group leave their clocks for each other, and take those that the data came from.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "interpose/groups.hpp"
#include "race/model/access.hpp"

namespace atrium::race {

using interpose::PeGroup;

// The place in shared memory through which the members of a group exchange clocks (PeGroup::of_tool).
struct MeetingPlace {
  // Instead of an index, where none was left: such groups leave what they know in common. That orders more than they do, and
  // never less.
  static constexpr int in_common = meetings_per_pe;

  int leader;      // the PE in whose shared memory it lies
  int index;       // which of the places there
  uint64_t first;  // the number of the collective before its first
  uint64_t last;   // and of its last

  bool is_its_own() const { return index < in_common; }
};

// One collective: entered when made; merges what others have left.
class Meeting {
 public:
  Meeting(Strand& strand, const PeGroup& group, Origin origin, uint64_t value = 0);
  ~Meeting();
  Meeting(const Meeting&) = delete;
  Meeting& operator=(const Meeting&) = delete;

  void merge(int rank);
  void learn_from_all();
  uint64_t value_of(int rank);  // 0: of a group without a place

 private:
  void leave_in_common();
  void take_what_is_common();
  Entry& entry_of(int rank) const;
  Entry& wait_for(int rank) const;
  Strand& strand_;
  const PeGroup& group_;
  MeetingPlace& place_;
  Origin origin_;
  uint64_t number_ = 0;
  bool learned_ = false;  // what is common
};

}  // namespace atrium::race
