// Who waits for whom in a job: the graph in which a deadlock is looked for.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "launch/report/standstill.hpp"

namespace atrium {

inline WaitKind kind_of(const PublishedWait& wait) { return static_cast<WaitKind>(wait.details.kind); }
inline bool is_collective(const PublishedWait& wait) {
  return kind_of(wait) == WaitKind::barrier || kind_of(wait) == WaitKind::collective;
}
bool is_same_team(const PublishedWait& a, const PublishedWait& b);
// Of an active set that is being made, whose members are looked for one by one: no team is known yet.
inline bool makes_active_set(const PublishedWait& wait) {
  return is_collective(wait) && wait.details.pe >= 0;
}

// One of them may make the active set of the other.
inline bool may_be_same_team(const PublishedWait& a, const PublishedWait& b) {
  return is_same_team(a, b) || makes_active_set(a) || makes_active_set(b);
}

// PEs of the team that is waited for; none where they are not known.
std::vector<int> members_of_team(const PublishedWait& wait);

// The PEs of which one, or each, must act before PE `pe` goes on; none where it might be any.
std::vector<int> whom_it_waits_for(const WaitsOfPes& waits, int pe);

// A shortest way round, each PE waiting for the next and the last for the first; empty if there is none.
std::vector<int> find_cycle(const WaitsOfPes& waits);

}  // namespace atrium
