// Compares the collective calls of a team's members, and reports calls that differ.
// SPDX-License-Identifier: BSD-3-Clause
//
// With ATRIUM_CHECK=1 or SHMEM_DEBUG each collective is compared before it begins, which takes a barrier more. Allocations,
// the making and destroying of teams and shmem_finalize have a barrier anyway: there the calls are always compared, at that barrier, and
// no message is sent for it: a notice goes from leader to leader with the first flag of the barrier. So is how many collectives,
// barriers and syncs there were before it. A barrier on one PE alone is completed by the others' next allocation or shmem_finalize: then
// either that PE's notice is not there yet, or its count is one higher. Teams that were split and still live are compared by
// shmem_finalize, if they are on one node. Where arguments are checked, so is the history of the collectives before
// it, of which each member has kept a number and the last few calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "check/check.hpp"
#include "team/block.hpp"
#include "team/team.hpp"

namespace atrium {

enum class CollectiveRoutine : uint64_t {
  barrier,
  sync,
  broadcast,
  collect,
  fcollect,
  alltoall,
  reduction,
  inscan,
  exscan,
  allocation,
  hinted_allocation,
  zeroed_allocation,
  aligned_allocation,
  resizing,
  release,
  split_strided,
  split_2d,
  destruction,
  end
};

// What must be equal on all members.
struct CollectiveCall {
  CollectiveRoutine routine;
  size_t bytes = 0;
  int64_t which =
      0;  // the root of a broadcast, an alignment, hints, the place of a block in the heap, the triplet of a split
  void (*work)(void*, const void*, const void*,
               size_t) = nullptr;  // tells operation and type: combines elements
};

// Start and stride of an active set in one number. Its size goes where bytes do.
inline int64_t start_and_stride(int start, int stride) {
  return static_cast<int64_t>(static_cast<uint64_t>(static_cast<uint32_t>(start)) << 32 |
                              static_cast<uint32_t>(stride));
}

// Collective. Ends the job with a message unless every member has passed what member 0 has.
void compare_calls(Team& team, const CollectiveCall& call);

// The place of a notice. There are two, because a notice that has not been read yet must not be overwritten: before the next but
// one is written, everybody has read this one and come to the next.
inline Notice& notice_in(TeamBlock& block, uint64_t number) { return block.notices[number % 2]; }
// My last notice on a team of several nodes, which the leader of another node gets; null where it was taken already.
const Notice* unsent_notice(Team& team);

// Of my last notice, to a member for which I raise the flag of its rounds[0] next: the eight bytes travel in the cache line of the
// flag, where the notice would be a line more to wait for. On a team of several nodes it does nothing.
inline void send_digest(const Team& team, int member) {
  if (team.spans_nodes) return;
  auto& digests = team.block_of(member).rounds[0].digests;
  digests[team.progress.notices % 2].store(team.progress.last_digest, std::memory_order_relaxed);
}

// The same for a call in which the members have a barrier anyway. After it each compares with the member before it, by the digest
// if that has come; on several nodes with the one that follows on its node, and leaders with the leader of the next node, on one side or
// the other, too. So where two members differ, one finds it.
class CallAtMeeting {
 public:
  // Before the barrier. Does nothing where all calls are compared, which has been done by then. `returns`: the return address of
  // the routine, or null where it is unknown.
  CallAtMeeting(Team& team, const CollectiveCall& call, const void* returns);
  // After it. Ends the job with a message if the other member has made another call.
  void compare() const;

 private:
  void compare_with_before() const;
  void compare_with(int other) const;
  Notice notice_from(int member) const;

  Team& team_;
  uint64_t number_ = 0;  // of the notice; 0: there is none
};

// The same where a team is destroyed, with that barrier. When it returns, no member needs my block. So nobody may read a notice in
// another's block afterwards: each sends its own to the member after it with the first flag, and compares with the member before it.
void compare_last_call(Team& team, const CollectiveCall& call, const void* returns);

// Of the teams that were split and live when the job ends, as far as each is on one node: there the comparison takes no message.
class CallsOfLivingTeams {
 public:
  // Before the last barrier of all PEs, and after it.
  explicit CallsOfLivingTeams(const void* returns);
  void compare() const;

 private:
  std::vector<CallAtMeeting> announced_;
};

// Collective, in shmem_finalize; ends the job where member 0 makes another call. Whether member 0 says the same.
bool is_said_by_first_at_end(Team& team, uint64_t what);

inline void require_same_call(Team& team, const CollectiveCall& call) {
  if (comparing_calls() && team.size > 1) compare_calls(team, call);
}

// Into my history.
void remember_call(Team& team, const CollectiveCall& call, const void* returns);

// How a collective that moves data begins. `returns`: where the routine returns to. Calls are counted always, and remembered where
// arguments are checked alone, since that takes a third of the time of a small broadcast. False where there is nothing to do: a PE outside an
// active set (team.hpp).
inline bool enters(Team& team, const CollectiveCall& call, const void* returns) {
  if (team.size > 1) {
    ++team.progress.calls;
    if (checking()) comparing_calls() ? compare_calls(team, call) : remember_call(team, call, returns);
  }
  return team.size > 0;
}

}  // namespace atrium
