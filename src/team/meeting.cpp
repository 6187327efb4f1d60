// Meetings: a dissemination barrier with flags of its own, and publications that are read after it.
// SPDX-License-Identifier: BSD-3-Clause
#include "team/meeting.hpp"

#include "wait/wait.hpp"

namespace atrium {
namespace {

void wait_for_epoch(const Epoch& flag, uint64_t epoch) {
  wait_for(WaitReason{WaitKind::barrier, &flag, sizeof flag, epoch, ">="},
           [&] { return flag.load(std::memory_order_acquire) >= epoch; });  // SYNC meeting
}

}  // namespace

// In round r I tell the member 2^r after me and hear from the one 2^r before me; after the last round I have
// heard, directly or not, from all.
void meet(Team& team) {
  const uint64_t epoch = ++team.progress.meetings;
  full_fence();
  for (int round = 0; (1 << round) < team.size; ++round) {
    const int next = team.after(1 << round);
    team.block_of(next).meetings[round].store(epoch, std::memory_order_release);  // SYNC meeting
    notify(team.delta[next]);
    wait_for_epoch(team.my_block().meetings[round], epoch);
  }
}

// Two halves suffice: who publishes for the second time after this has met everybody in between, and
// everybody has read this half before that meeting.
Assembly::Assembly(Team& team, const Publication& mine)
    : team_(team), half_(++team.progress.publications % 2) {
  team.my_block().publications[half_] = mine;
  meet(team);
}

const Publication& Assembly::of(int member) const { return team_.block_of(member).publications[half_]; }

bool Assembly::all_accept() const {
  for (int member = 0; member < team_.size; ++member) {
    if (of(member).refused) return false;
  }
  return true;
}

TeamBlock* Assembly::block_of(int member, int which) const {
  char* base = reinterpret_cast<char*>(&team_.block_of(member));
  return reinterpret_cast<TeamBlock*>(base + of(member).offset[which]);
}

}  // namespace atrium
